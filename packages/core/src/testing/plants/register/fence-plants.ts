/** Faults in the fence between gate and ledger: the order commit, and what else passes it. */
import type { Plant } from '../plant.ts';

const COMMIT = ['tinystore_order.commit_orders', 'tinystore_order.judge_orders'];
const LOCK = 'PERFORM pg_advisory_xact_lock_shared(ops.gate_lock_key());';
const KEEPER_TEST = 'gate/gatekeeper/gatekeeper.int.test.ts';

export const FENCE_PLANTS: readonly Plant[] = [
  {
    name: 'epoch-not-checked',
    rule: 'P11',
    sentence: 'An order taken in a life of the gate that is over is committed.',
    place: {
      functions: COMMIT,
      edits: [{ find: '(NOT e.open OR e.epoch IS DISTINCT FROM o.epoch)', replace: 'NOT e.open' }],
    },
    caughtBy: { file: KEEPER_TEST, title: 'P11 an order taken before a rebuild' },
  },
  {
    name: 'generation-not-checked',
    rule: 'P11',
    sentence: 'An order taken under an older load of its SKU is committed.',
    place: { functions: COMMIT, edits: [{ find: ' OR i.generation <> l.generation', replace: '' }] },
    caughtBy: { file: KEEPER_TEST, title: 'P20 an order taken before a re-install' },
  },
  {
    name: 'generation-from-ledger',
    rule: 'P11',
    sentence: 'The commit is judged by the generation that the ledger has, not by the one its take answered.',
    place: {
      file: 'packages/core/src/order/try-order.ts',
      edits: [
        {
          find: 'epoch: taken.epoch, generations: taken.generations });',
          replace: `epoch: taken.epoch, generations: new Map(await Promise.all(holds.map(async (hold) => [hold.reservationId,
            (await deps.pool.query('SELECT generation FROM tinystore_inventory.inventory_stock WHERE shop_id = $1 AND sku_id = $2',
              [hold.shopId, hold.skuId])).rows[0].generation] as const))) });`,
        },
      ],
    },
    caughtBy: { file: KEEPER_TEST, title: 'P20 an order taken before a re-install' },
  },
  {
    name: 'commit-without-lock',
    rule: 'P11',
    sentence: 'An order commit does not wait for a rebuild, nor a rebuild for it.',
    place: { functions: COMMIT, edits: [{ find: LOCK, replace: '' }] },
    caughtBy: { file: KEEPER_TEST, title: 'P10 a commit under way when a rebuild begins' },
  },
  {
    name: 'lock-and-epoch-in-one-statement',
    rule: 'P11',
    sentence: 'The commit waits for the lock in the statement that reads the epoch, and so reads the old one.',
    place: {
      functions: COMMIT,
      edits: [
        { find: LOCK, replace: '' },
        {
          find: 'FROM tinystore_inventory.gate_epoch g LIMIT 1) e',
          replace: `FROM tinystore_inventory.gate_epoch g,
            (SELECT pg_advisory_xact_lock_shared(ops.gate_lock_key()) AS mine OFFSET 0) k WHERE k.mine IS NOT NULL LIMIT 1) e`,
        },
      ],
    },
    caughtBy: { file: KEEPER_TEST, title: 'P11 an order that waits for the lock' },
  },
  {
    name: 'abandoned-accepted',
    rule: 'P17',
    sentence: 'An order is made of a hold that was abandoned and given back.',
    place: { functions: COMMIT, edits: [{ find: 'a.reservation_id IS NOT NULL OR ', replace: '' }] },
    caughtBy: { file: 'reconcile/sweep-ghost-holds.int.test.ts', title: 'P17 – is abandoned for ever' },
  },
  {
    name: 'write-off-without-fence',
    rule: 'P11',
    sentence: 'A write-off whose take was made in another life of the gate is booked.',
    place: {
      functions: ['tinystore_inventory.write_off'],
      edits: [{ find: 'WHEN p_epoch IS NOT NULL AND (stock.generation', replace: 'WHEN false AND (stock.generation' }],
    },
    caughtBy: { file: 'stock/write-off.int.test.ts', title: 'P11 – Units taken for a write-off before a rebuild' },
  },
  {
    name: 'revive-without-fence',
    rule: 'P28',
    sentence: 'An order is revived with units of a life of the gate that is over.',
    place: {
      file: 'packages/core/src/order/payment/late/revive-trade.ts',
      edits: [{ find: "if (!(await passesFence(tx, lines, taken))) return 'again';", replace: '' }],
    },
    caughtBy: {
      file: 'order/payment/late/late-money.int.test.ts',
      title: 'P11 – a gate that was rebuilt after the take revives nothing',
    },
  },
  {
    name: 'intended-ids-are-live',
    rule: 'P2',
    sentence: 'Ids that a revive only intends to take count as holds when the gate is loaded.',
    place: {
      functions: ['tinystore_inventory.live_holds'],
      edits: [
        { find: "h.state = 'CURRENT' AND h.gate_mode", replace: "h.state <> 'PAST' AND h.gate_mode" },
        {
          find: "so.status IN ('RESERVING', 'RELEASING')",
          replace: "so.status IN ('RESERVING', 'RELEASING', 'RELEASED')",
        },
      ],
    },
    caughtBy: { file: 'order/payment/late/late-money.int.test.ts', title: 'P2 – ids that a revive only intends' },
  },
];
