/** Faults in the ledger's verbs. */
import type { Plant } from '../plant.ts';

const LEDGER = 'packages/core/src/ledger';
const TEST = 'ledger/ledger.int.test.ts';
const SECOND_LINES = 'ledger/second-lines.int.test.ts';
const INSERT = "const tombstones = await insertReservations(tx, 'RELEASED', wanted);";

export const LEDGER_PLANTS: readonly Plant[] = [
  {
    name: 'settle-left-out',
    rule: 'P6',
    sentence: 'Units are sold and their holds stay at the gate.',
    place: {
      file: `${LEDGER}/confirm-trades.ts`,
      edits: [{ find: "await insertEffects(tx, 'SETTLE', rows);", replace: '' }],
    },
    caughtBy: { file: TEST, title: 'C12 – A paid order is confirmed in all its shops together' },
  },
  {
    name: 'sku-twice-counts-once',
    rule: 'P5',
    sentence: 'Of two lines of one SKU in a batch only the last one counts.',
    place: {
      file: `${LEDGER}/sum-by-sku.ts`,
      edits: [{ find: 'sums.get(key) ?? { shopId', replace: '{ shopId' }],
    },
    caughtBy: { file: TEST, title: 'C04 – One SKU many times in a batch' },
  },
  {
    name: 'tombstone-left-out',
    rule: 'P6',
    sentence: 'A RELEASE that comes first leaves nothing, and the RESERVE after it holds units for a closed order.',
    place: {
      file: `${LEDGER}/release-reservations.ts`,
      edits: [{ find: INSERT, replace: 'const tombstones: HeldRow[] = [];' }],
    },
    caughtBy: { file: TEST, title: 'A release that comes first leaves a tombstone' },
  },
  {
    name: 'release-frees-without-row',
    rule: 'P6',
    sentence: 'A RELEASE without a row gives units back at the gate and writes no tombstone.',
    place: {
      file: `${LEDGER}/release-reservations.ts`,
      edits: [
        { find: INSERT, replace: 'const tombstones = named.flatMap(({ rows }) => rows);' },
        {
          find: '[...tombstones, ...released]);',
          replace: '[...tombstones.filter((row) => !statusOf.has(row.reservationId)), ...released]);',
        },
      ],
    },
    caughtBy: { file: TEST, title: 'A release that comes first leaves a tombstone' },
  },
  {
    name: 'half-ended-order',
    rule: 'P6',
    sentence: 'A refused shop order keeps the lines that were recorded before.',
    place: {
      file: `${LEDGER}/refuse-orders.ts`,
      edits: [
        {
          find: 'const earlier = await findEarlierRows(tx, rejected, fresh);',
          replace: 'const earlier: HeldRow[] = [];',
        },
      ],
    },
    caughtBy: { file: TEST, title: 'A line recorded earlier is released' },
  },
  {
    name: 'effects-not-unique',
    rule: 'P6',
    sentence: 'One ended row may give its units back twice.',
    place: {
      statement: 'ALTER TABLE tinystore_inventory.gate_effect DROP CONSTRAINT gate_effect_reservation_id_kind_key',
    },
    caughtBy: { file: SECOND_LINES, title: 'P6 – One ended row has one effect' },
  },
  {
    name: 'confirm-without-state',
    rule: 'P27',
    sentence: 'A CONFIRM sells the units of an order that nobody has paid.',
    place: {
      file: `${LEDGER}/judge-confirm.ts`,
      edits: [{ find: "if (tradeStatus !== 'PAID_PENDING') return done('stale');", replace: '' }],
    },
    caughtBy: { file: TEST, title: 'C12 – A paid order is confirmed in all its shops together' },
  },
  {
    name: 'confirm-without-trade-lock',
    rule: 'P27',
    sentence: 'A CONFIRM judges a trade that somebody else is closing at this moment.',
    place: {
      file: `${LEDGER}/sql/lock-rows.ts`,
      edits: [
        {
          find: 'FROM tinystore_order.trade WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE',
          replace: 'FROM tinystore_order.trade WHERE id = ANY($1::uuid[]) ORDER BY id',
        },
      ],
    },
    caughtBy: { file: SECOND_LINES, title: 'P27 – A confirm waits for whoever has the trade' },
  },
  {
    name: 'stock-row-missed',
    rule: 'P5',
    sentence: 'A stock change that meets no row passes without a word.',
    place: {
      file: `${LEDGER}/sql/change-stock.ts`,
      edits: [{ find: 'if (rowCount !== changes.length) throw', replace: 'if (rowCount === null) throw' }],
    },
    caughtBy: { file: SECOND_LINES, title: 'P5 – A stock change that does not meet each of its rows' },
  },
  {
    name: 'final-state-moves',
    rule: 'P6',
    sentence: 'A row that has ended can be sold.',
    place: { statement: 'DROP TRIGGER inventory_reservation_final ON tinystore_inventory.inventory_reservation' },
    caughtBy: { file: SECOND_LINES, title: 'P6 – A row that has ended never moves again' },
  },
];
