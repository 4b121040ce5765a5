import { afterAll, beforeAll, expect, test } from 'vitest';
import { mint } from '../../domain/index.ts';
import { setClockOffset } from '../../testing/clock.ts';
import { deliverEvents } from '../../testing/deliver-events.ts';
import { cancelOrder } from '../cancel-order.ts';
import { endByTime } from '../end-by-time.ts';
import { extendPayment } from './extend-payment.ts';
import { openPaymentDesk, type PaymentDesk, readBooks, setPayUntil } from './payment-desk.testing.ts';
import { startPayment } from './start-payment.ts';

let desk: PaymentDesk;
beforeAll(async () => {
  desk = await openPaymentDesk('extend_payment');
});
afterAll(() => desk.close());

const extend = (trade: { tradeId: string; buyerId: string }) =>
  extendPayment({ ...desk.deps, extensionSeconds: 300 }, trade);

async function deadlines(tradeId: string): Promise<Date[]> {
  const { rows } = await desk.pool.query<{ at: Date }>(
    `SELECT pay_until AS at FROM tinystore_order.trade WHERE id = $1
     UNION ALL SELECT expires_at FROM tinystore_order.payment_intent WHERE trade_id = $1
     UNION ALL SELECT expire_at FROM tinystore_inventory.inventory_reservation WHERE trade_id = $1
     UNION ALL SELECT i.expires_at FROM demo_provider.intent i JOIN tinystore_order.payment_intent p ON p.provider_ref = i.intent_ref
     WHERE p.trade_id = $1`,
    [tradeId],
  );
  return rows.map(({ at }) => at);
}

test('P40 – an order gets 300 s more, once, in every copy of its deadline and at the provider', async () => {
  const trade = await desk.trade({ shops: ['S1', 'S2'] });
  await startPayment(desk.deps, trade);
  const [before] = await deadlines(trade.tradeId);
  const answers = await Promise.all(Array.from({ length: 6 }, () => extend(trade)));
  expect(answers.filter(({ kind }) => kind === 'extended')).toHaveLength(1);
  expect(answers.filter((answer) => answer.kind === 'refused' && answer.code === 'EXTENSION_USED')).toHaveLength(5);
  const after = await deadlines(trade.tradeId);
  expect(after).toHaveLength(5);
  // The provider keeps milliseconds.
  expect(new Set(after.map((at) => at.getTime()))).toEqual(new Set([(before?.getTime() ?? 0) + 300_000]));
});

test('P40 – an extended order is ended by its new time, and can be paid until then', async () => {
  const [paid, ended] = await desk.trades(2);
  if (!paid || !ended) throw new Error('no trades');
  for (const trade of [paid, ended]) {
    await setPayUntil(desk.pool, trade.tradeId, 60_000);
    expect(await extend(trade)).toMatchObject({ kind: 'extended' });
  }
  try {
    await setClockOffset(desk.pool, 300_000);
    expect(await endByTime(desk.deps, { limit: 100 })).toMatchObject({ ended: 0 });
    expect(await startPayment(desk.deps, paid)).toMatchObject({ kind: 'started' });
    expect(await desk.notify(paid)).toMatchObject({ verdict: 'PAID' });
    await setClockOffset(desk.pool, 361_000);
    expect(await endByTime(desk.deps, { limit: 100 })).toMatchObject({ ended: 1 });
  } finally {
    await setClockOffset(desk.pool, 0);
  }
  await deliverEvents(desk.pool);
  expect(await readBooks(desk.pool, paid.tradeId)).toMatchObject({ trade: 'PAID' });
  expect(await readBooks(desk.pool, ended.tradeId)).toMatchObject({ trade: 'CLOSED', closeReason: 'TIMED_OUT' });
});

test("P40 – an order that is another buyer's, overdue, paid or closed gets no more time", async () => {
  const [overdue, paid, closed] = await desk.trades(3);
  if (!overdue || !paid || !closed) throw new Error('no trades');
  expect(await extend({ tradeId: paid.tradeId, buyerId: mint() })).toMatchObject({ code: 'NOT_FOUND' });
  await setPayUntil(desk.pool, overdue.tradeId, -1);
  expect(await extend(overdue)).toMatchObject({ code: 'PAYMENT_EXPIRED' });
  await desk.notify(paid);
  expect(await extend(paid)).toMatchObject({ code: 'ALREADY_PAID' });
  await cancelOrder(desk.deps, { tradeId: closed.tradeId, by: { kind: 'buyer', buyerId: closed.buyerId } });
  expect(await extend(closed)).toMatchObject({ code: 'ALREADY_CLOSED' });
});

test('P26 – nobody is promised time for units that are gone', async () => {
  const trade = await desk.trade({ shops: ['S1', 'S2'], recorded: false, without: 'S2' });
  expect(await extend(trade)).toMatchObject({ code: 'SOLD_OUT' });
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({ trade: 'CLOSED', closeReason: 'OVER_ADMITTED' });
});
