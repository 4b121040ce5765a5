/** Faults in placing an order and in the ghost sweep. */
import type { Plant } from '../plant.ts';

const ORDER = 'packages/core/src/order';
const SWEEP_TEST = 'reconcile/sweep-ghost-holds.int.test.ts';

export const ORDER_PLANTS: readonly Plant[] = [
  {
    name: 'give-back-on-unknown',
    rule: 'P15',
    sentence: 'Units are given back after a commit without an answer, though the order may stand.',
    place: {
      file: `${ORDER}/try-order.ts`,
      edits: [
        {
          find: "'order commit without an answer');\n    return settleUnknown(deps, order, linesOf(attempt));",
          replace:
            "'');\n    await deps.gate.giveBack(holds);\n    return settleUnknown(deps, order, linesOf(attempt));",
        },
      ],
    },
    caughtBy: { file: 'order/lost-commit-reply.int.test.ts', title: 'P15 – A commit whose answer is lost' },
  },
  {
    name: 'unknown-commit-is-refusal',
    rule: 'P15',
    sentence: 'A commit without an answer counts as one that did not happen.',
    place: {
      file: `${ORDER}/commit-batch.ts`,
      edits: [{ find: "broken ? 'unknown' : 'fault'", replace: "'fault'" }],
    },
    caughtBy: { file: 'order/lost-commit-reply.int.test.ts', title: 'P15 – A commit whose answer is lost' },
  },
  {
    name: 'ids-reused',
    rule: 'P13',
    sentence: 'The next try of an order sends the ids of the one before.',
    place: {
      file: `${ORDER}/try-order.ts`,
      edits: [
        {
          find: 'const attempt = buildAttempt(order);',
          replace: 'const attempt: OrderAttempt = ((order.input as any).attempt ??= buildAttempt(order));',
        },
      ],
    },
    caughtBy: { file: 'order/fresh-ids.int.test.ts', title: 'P13 – Each try of an order has ids of its own' },
  },
  {
    name: 'sweep-without-abandonment',
    rule: 'P17',
    sentence: 'The sweep gives a ghost back without the row that keeps it from becoming an order.',
    place: {
      file: 'packages/core/src/reconcile/sweep-ghost-holds.ts',
      edits: [
        {
          find: 'candidates.length > 0 ? await abandonHolds(deps.pool, candidates) : new Set<string>();',
          replace: 'candidates.length > 0 ? new Set(candidates.map((hold) => hold.reservationId)) : new Set<string>();',
        },
      ],
    },
    caughtBy: { file: SWEEP_TEST, title: 'P17 – is abandoned for ever' },
  },
  {
    name: 'sweep-without-second-look',
    rule: 'P17',
    sentence: 'A hold is abandoned that became an order between the look and the lock.',
    place: {
      functions: ['tinystore_inventory.abandon_holds'],
      edits: [
        {
          find: 'WHERE NOT EXISTS (SELECT FROM tinystore_order.order_line_hold h WHERE h.reservation_id = c.id)\n    AND NOT EXISTS',
          replace: 'WHERE NOT EXISTS',
        },
      ],
    },
    caughtBy: { file: SWEEP_TEST, title: 'P17 – that became an order after the look' },
  },
  {
    name: 'paid-hold-given-back',
    rule: 'P17',
    sentence: 'The sweep frees a hold whose units are sold.',
    place: {
      file: 'packages/core/src/reconcile/judge-old-hold.ts',
      edits: [{ find: "facts.status === 'CONFIRMED' ? 'settle' : 'give-back'", replace: "'give-back'" }],
    },
    caughtBy: { file: SWEEP_TEST, title: 'is only settled once it is sold' },
  },
  {
    name: 'limits-not-lowered',
    rule: 'P23',
    sentence: 'Units of an order that has closed stay counted against its buyer.',
    place: {
      file: `${ORDER}/apply-trade-events.ts`,
      edits: [{ find: 'await countBuyerUnits(', replace: 'void ((..._: unknown[]) => undefined)(' }],
    },
    caughtBy: { file: 'order/limits/limits.int.test.ts', title: 'units count no more once their order has closed' },
  },
  {
    name: 'limits-not-raised',
    rule: 'P23',
    sentence: 'A revived order no longer counts against its buyer.',
    place: {
      file: `${ORDER}/trade/raise-buyer-limit.ts`,
      edits: [{ find: 'await countBuyerUnits(tx, [tradeId]);', replace: '' }],
    },
    caughtBy: { file: 'order/payment/late/late-limit.int.test.ts', title: 'P23 – a revived order of a limited SKU' },
  },
  {
    name: 'limits-counted-twice',
    rule: 'P23',
    sentence: 'What is counted anew is added to what was counted before.',
    place: {
      file: `${ORDER}/limits/count-buyer-units.ts`,
      edits: [{ find: 'b SET units = c.units', replace: 'b SET units = b.units + c.units' }],
    },
    caughtBy: { file: 'order/payment/late/late-limit.int.test.ts', title: 'P23 – a revived order of a limited SKU' },
  },
  {
    name: 'ids-not-noted',
    rule: 'P22',
    sentence: 'A request that died leaves no trace of the ids that it took.',
    place: {
      file: `${ORDER}/try-order.ts`,
      edits: [{ find: 'memory.noteIds(holds).catch(', replace: 'Promise.resolve().catch(' }],
    },
    caughtBy: { file: 'order/crash.int.test.ts', title: 'killed order.before-commit' },
  },
  {
    name: 'commit-without-key-lock',
    rule: 'P22',
    sentence: 'A retry finds no order while the first commit is still under way, and abandons its ids.',
    place: {
      functions: ['tinystore_order.commit_orders'],
      edits: [{ find: 'PERFORM pg_advisory_xact_lock(1, k.lock)', replace: 'PERFORM k.lock' }],
    },
    caughtBy: { file: 'order/lost-commit-reply.int.test.ts', title: 'P22 – A retry waits for the commit' },
  },
  {
    name: 'two-epochs-in-one-order',
    rule: 'P21',
    sentence: 'The shops of one order are taken in two lives of the gate.',
    place: {
      file: `${ORDER}/take-units.ts`,
      edits: [{ find: 'if (epoch === outcome.epoch) continue;', replace: 'continue;' }],
    },
    caughtBy: { file: 'order/fresh-ids.int.test.ts', title: 'P21 – The shops of one order are taken in one epoch' },
  },
];
