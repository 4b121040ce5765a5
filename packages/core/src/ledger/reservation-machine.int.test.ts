/** Every state of a reservation against every command of the ledger, on the real database (design section 8). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countReservations, markPaid, openIncidents, readStock, type TestOrder } from './ledger-books.testing.ts';
import { openTestLedger, type TestLedger } from './ledger-desk.testing.ts';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await openTestLedger();
  // Commands come here in states in which no order would send them.
  ledger.mayBreak = true;
});
afterAll(() => ledger.close());

const COMMANDS = {
  record: (order: TestOrder) => ledger.record([order]),
  confirm: (order: TestOrder) => ledger.confirm([order]),
  release: (order: TestOrder) => ledger.release([order]),
  expire: (order: TestOrder) => ledger.expire([order.tradeId]),
};
type Command = keyof typeof COMMANDS;
type State = 'none' | 'PRE_DEDUCTED' | 'CONFIRMED' | 'RELEASED' | 'EXPIRED';

/** How each state is reached, and `total/reserved/confirmed` of 10 units once one is in it. */
const STATES: Record<State, { readonly by: readonly Command[]; readonly stock: string }> = {
  none: { by: [], stock: '10/0/0' },
  PRE_DEDUCTED: { by: ['record'], stock: '10/1/0' },
  CONFIRMED: { by: ['record', 'confirm'], stock: '9/0/1' },
  RELEASED: { by: ['record', 'release'], stock: '10/0/0' },
  EXPIRED: { by: ['record', 'expire'], stock: '10/0/0' },
};
const TABLE: Record<State, Record<Command, State>> = {
  none: { record: 'PRE_DEDUCTED', confirm: 'none', release: 'RELEASED', expire: 'none' },
  PRE_DEDUCTED: { record: 'PRE_DEDUCTED', confirm: 'CONFIRMED', release: 'RELEASED', expire: 'EXPIRED' },
  CONFIRMED: { record: 'CONFIRMED', confirm: 'CONFIRMED', release: 'CONFIRMED', expire: 'CONFIRMED' },
  RELEASED: { record: 'RELEASED', confirm: 'RELEASED', release: 'RELEASED', expire: 'RELEASED' },
  EXPIRED: { record: 'EXPIRED', confirm: 'EXPIRED', release: 'EXPIRED', expire: 'EXPIRED' },
};
/** What is shown to a person, because it should never be asked (P26, P27). */
const INCIDENTS: Partial<Record<`${State} ${Command}`, string>> = {
  'none confirm': 'CONFIRM_WITHOUT_ROW',
  'CONFIRMED release': 'RELEASE_OF_CONFIRMED',
  'RELEASED confirm': 'CONFIRM_CONFLICT',
  'EXPIRED confirm': 'CONFIRM_CONFLICT',
};

const cases = Object.entries(TABLE).flatMap(([from, row]) =>
  Object.entries(row).map(([command, to]) => [from as State, command as Command, to] as const),
);
let skus = 0;

test.each(cases)('A reservation in state %s that meets %s is %s afterwards', async (from, command, to) => {
  const skuId = `K${++skus}`;
  await ledger.stock({ [`S1.${skuId}`]: 10 });
  const [order] = await ledger.place({ skuId, quantity: 1 });
  if (!order) throw new Error('no order');
  await markPaid(ledger.pool, order.tradeId);
  for (const step of STATES[from].by) await COMMANDS[step](order);
  const before = new Set(await openIncidents(ledger.pool));
  await COMMANDS[command](order);
  expect(await countReservations(ledger.pool, order.tradeId)).toEqual(to === 'none' ? {} : { [to]: 1 });
  expect((await readStock(ledger.pool))[`S1.${skuId}`]).toBe(STATES[to].stock);
  const opened = (await openIncidents(ledger.pool))
    .filter((name) => !before.has(name))
    .map((name) => name.split(' ')[0]);
  const expected = INCIDENTS[`${from} ${command}`];
  expect(opened).toEqual(expected === undefined ? [] : [expected]);
});
