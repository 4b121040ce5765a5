import { afterAll, beforeAll, expect, test } from 'vitest';
import { mint } from '../../domain/index.ts';
import { deliverEvents } from '../../testing/deliver-events.ts';
import { matchUnmatched } from './match-unmatched.ts';
import { openIncidents, openPaymentDesk, type PaymentDesk, readBooks } from './payment-desk.testing.ts';

/** Two notices of one charge, the first of which names an intent that nobody knows yet (C20, P30). */
let desk: PaymentDesk;
beforeAll(async () => {
  desk = await openPaymentDesk('one_charge');
});
afterAll(() => desk.close());

const unknownIntent = () => `pi_${mint()}`;
const verdictOf = async (eventId: string) => {
  const { rows } = await desk.pool.query<{ verdict: string }>(
    'SELECT verdict FROM tinystore_order.payment_event WHERE event_id = $1',
    [eventId],
  );
  return rows[0]?.verdict;
};
const makeOverdue = (eventId: string) =>
  desk.pool.query(
    `UPDATE tinystore_order.payment_event SET received_at = received_at - interval '31 minutes' WHERE event_id = $1`,
    [eventId],
  );
const lateRows = async (eventIds: string[]) => {
  const { rows } = await desk.pool.query<{ event_id: string; cause: string }>(
    'SELECT event_id, cause FROM tinystore_order.late_payment WHERE event_id = ANY($1)',
    [eventIds],
  );
  return rows;
};

test('P30 – a charge that was first told of without its order pays the order when it is told of again', async () => {
  const trade = await desk.trade();
  const chargeId = `ch_${mint()}`;
  const [first, second] = [`evt_${mint()}`, `evt_${mint()}`];
  const intentRef = unknownIntent();
  await desk.notify({ ...trade, intentId: intentRef }, { id: first, chargeId });
  expect(await verdictOf(first)).toBe('UNMATCHED');
  await desk.notify(trade, { id: second, chargeId });
  expect(await verdictOf(second)).toBe('PAID');
  await deliverEvents(desk.pool);
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({ trade: 'PAID', latePayments: [] });

  // The money is the order's: it does not go back as unmatched, and nobody has to look at it.
  await makeOverdue(first);
  expect(await matchUnmatched(desk.deps, { limit: 100 })).toMatchObject({ givenBack: 0, failed: 0 });
  expect(await lateRows([first, second])).toEqual([]);
  expect(await openIncidents(desk.pool, first)).toEqual([]);
});

test('P30 – whichever of two notices of a charge finds its order first, the order is paid once', async () => {
  const trade = await desk.trade();
  const chargeId = `ch_${mint()}`;
  const [first, second] = [`evt_${mint()}`, `evt_${mint()}`];
  const intentRef = unknownIntent();
  await desk.notify({ ...trade, intentId: intentRef }, { id: first, chargeId });
  await desk.pool.query('UPDATE tinystore_order.payment_intent SET provider_ref = $2 WHERE id = $1', [
    trade.intentId,
    intentRef,
  ]);
  await desk.notify(trade, { id: second, chargeId });
  await matchUnmatched(desk.deps, { limit: 100 });
  expect([await verdictOf(first), await verdictOf(second)].sort()).toEqual(['NOTED', 'PAID']);
  await deliverEvents(desk.pool);
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({ trade: 'PAID', latePayments: [] });
});

test('P30 – a charge that went back as unmatched pays no order afterwards', async () => {
  const trade = await desk.trade();
  const chargeId = `ch_${mint()}`;
  const [first, second] = [`evt_${mint()}`, `evt_${mint()}`];
  await desk.notify({ ...trade, intentId: unknownIntent() }, { id: first, chargeId });
  await makeOverdue(first);
  expect(await matchUnmatched(desk.deps, { limit: 100 })).toMatchObject({ givenBack: 1 });
  await desk.notify(trade, { id: second, chargeId });
  expect(await verdictOf(second)).toBe('NOTED');
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({ trade: 'UNPAID' });
  expect(await lateRows([first, second])).toMatchObject([{ event_id: first, cause: 'UNMATCHED' }]);
});

test('P30 – two notices of a charge that find no order send its money back once', async () => {
  const chargeId = `ch_${mint()}`;
  const ids = [`evt_${mint()}`, `evt_${mint()}`];
  for (const id of ids) await desk.notify({ intentId: unknownIntent(), totalMinor: 1999 }, { id, chargeId });
  for (const id of ids) await makeOverdue(id);
  await Promise.all([1, 2].map(() => matchUnmatched(desk.deps, { limit: 100 })));
  expect(await lateRows(ids)).toHaveLength(1);
});

test('P30 – given back and paid at one instant, a charge is one of the two', async () => {
  const rounds = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const trade = await desk.trade();
      const chargeId = `ch_${mint()}`;
      const [first, second] = [`evt_${mint()}`, `evt_${mint()}`];
      await desk.notify({ ...trade, intentId: unknownIntent() }, { id: first, chargeId });
      await makeOverdue(first);
      return { trade, chargeId, first, second };
    }),
  );
  await Promise.all([
    matchUnmatched(desk.deps, { limit: 100 }),
    ...rounds.map(({ trade, chargeId, second }) => desk.notify(trade, { id: second, chargeId })),
  ]);
  await deliverEvents(desk.pool);
  for (const { trade, first } of rounds) {
    const { trade: status } = await readBooks(desk.pool, trade.tradeId);
    const givenBack = (await lateRows([first])).length;
    expect([status, givenBack]).toEqual(givenBack === 1 ? ['UNPAID', 1] : ['PAID', 0]);
  }
});

/** REFUNDED notices that come while the success of their charge is not known yet. */
const returnedFirst = async (amounts: unknown[]) => {
  const trade = await desk.trade();
  const chargeId = `ch_${mint()}`;
  for (const amountMinor of amounts) await desk.notify(trade, { type: 'refunded', chargeId, amountMinor });
  const success = await desk.notify(trade, { chargeId });
  await deliverEvents(desk.pool);
  return { trade, verdict: success.kind === 'stored' ? success.verdict : undefined };
};

test('P30 – a part that went back before the success was judged does not undo the payment, and a person is told', async () => {
  for (const amounts of [[500], [500, 700], ['all of it']]) {
    const { trade, verdict } = await returnedFirst(amounts);
    expect(verdict).toBe('PAID');
    expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({ trade: 'PAID', latePayments: [] });
    expect(await openIncidents(desk.pool, trade.intentId)).toEqual(['PAYMENT_DIFFERS']);
  }
});

test('P30 – money of which all went back before its success was judged pays nothing', async () => {
  const { trade, verdict } = await returnedFirst([500, 1999]);
  expect(verdict).toBe('NOTED');
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({
    trade: 'CLOSED',
    closeReason: 'PAYMENT_RETURNED',
    intent: 'REFUNDED',
  });
});
