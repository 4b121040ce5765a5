import { afterAll, beforeAll, expect, test } from 'vitest';
import { mint } from '../../domain/index.ts';
import { deliverEvents } from '../../testing/deliver-events.ts';
import {
  openIncidents,
  openPaymentDesk,
  type PaymentDesk,
  readBooks,
  readStock,
  setPayUntil,
} from './payment-desk.testing.ts';
import { startPayment } from './start-payment.ts';

let desk: PaymentDesk;
beforeAll(async () => {
  desk = await openPaymentDesk('start_payment');
});
afterAll(() => desk.close());

test('starting a payment answers where to pay, and the same again while it is processing', async () => {
  const trade = await desk.trade({ quantity: 2 });
  const started = await startPayment(desk.deps, trade);
  expect(started).toMatchObject({
    kind: 'started',
    intentId: trade.intentId,
    attempt: 1,
    amountMinor: 3998,
    currency: 'EUR',
    payUrl: `http://shop.example/pay/${trade.intentId}`,
  });
  expect(await startPayment(desk.deps, trade)).toEqual(started);
  const both = await Promise.all([startPayment(desk.deps, trade), startPayment(desk.deps, trade)]);
  expect(both).toEqual([started, started]);
});

test('P26 – a payment starts only once every unit is recorded in the ledger', async () => {
  const trade = await desk.trade({ shops: ['S1', 'S2'], recorded: false });
  expect((await readBooks(desk.pool, trade.tradeId)).rows).toEqual([]);
  expect(await startPayment(desk.deps, trade)).toMatchObject({ kind: 'started' });
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({
    trade: 'UNPAID',
    intent: 'PROCESSING',
    shopOrders: ['RESERVED', 'RESERVED'],
    rows: ['PRE_DEDUCTED', 'PRE_DEDUCTED'],
  });
  await deliverEvents(desk.pool);
  expect(await readStock(desk.pool, trade.skuId)).toEqual({ total: 10, reserved: 1, confirmed: 0 });
});

test('units that the gate admitted and the ledger does not have close the whole order before any money', async () => {
  const trade = await desk.trade({ shops: ['S1', 'S2'], recorded: false, without: 'S2' });
  expect(await startPayment(desk.deps, trade)).toMatchObject({ kind: 'refused', code: 'SOLD_OUT' });
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({
    trade: 'CLOSED',
    closeReason: 'OVER_ADMITTED',
    intent: 'CLOSED',
    shopOrders: ['RELEASING', 'RELEASED'],
  });
  await deliverEvents(desk.pool);
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({
    trade: 'CLOSED',
    shopOrders: ['RELEASED', 'RELEASED'],
    rows: ['RELEASED', 'RELEASED'],
    openOrders: 0,
  });
  expect(await readStock(desk.pool, trade.skuId)).toEqual({ total: 10, reserved: 0, confirmed: 0 });
  expect(await startPayment(desk.deps, trade)).toMatchObject({ code: 'ALREADY_CLOSED' });
});

test('an order that the ledger refuses on its own is closed by the answer, and its other shops are freed', async () => {
  const trade = await desk.trade({ shops: ['S1', 'S2'], recorded: false, without: 'S1' });
  await deliverEvents(desk.pool);
  expect(await readBooks(desk.pool, trade.tradeId)).toEqual({
    trade: 'CLOSED',
    closeReason: 'OVER_ADMITTED',
    intent: 'CLOSED',
    shopOrders: ['RELEASED', 'RELEASED'],
    rows: ['RELEASED', 'RELEASED'],
    openOrders: 0,
    latePayments: [],
  });
  expect(await readStock(desk.pool, trade.skuId, 'S2')).toEqual({ total: 10, reserved: 0, confirmed: 0 });
});

test('C21 – a declined payment keeps the hold, and the same order can be paid in a later attempt', async () => {
  const trade = await desk.trade({ units: 1 });
  for (const attempt of [1, 2, 3]) {
    expect(await startPayment(desk.deps, trade)).toMatchObject({ kind: 'started', attempt });
    expect(await desk.notify(trade, { type: 'failed', attempt })).toMatchObject({ verdict: 'FAILED' });
    expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({
      trade: 'UNPAID',
      intent: 'FAILED',
      rows: ['PRE_DEDUCTED'],
    });
  }
  expect(await startPayment(desk.deps, trade)).toMatchObject({ attempt: 4 });
  expect(await desk.notify(trade, { type: 'failed', attempt: 3 })).toMatchObject({ verdict: 'NOTED' });
  expect(await desk.notify(trade, { attempt: 4 })).toMatchObject({ verdict: 'PAID' });
  await deliverEvents(desk.pool);
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({
    trade: 'PAID',
    intent: 'SUCCEEDED',
    rows: ['CONFIRMED'],
    openOrders: 0,
  });
  expect(await readStock(desk.pool, trade.skuId)).toEqual({ total: 0, reserved: 0, confirmed: 1 });
});

test("an order that is another buyer's, overdue, paid or closed is refused", async () => {
  const trade = await desk.trade();
  expect(await startPayment(desk.deps, { tradeId: trade.tradeId, buyerId: mint() })).toMatchObject({
    code: 'NOT_FOUND',
  });
  expect(await startPayment(desk.deps, { tradeId: mint(), buyerId: trade.buyerId })).toMatchObject({
    code: 'NOT_FOUND',
  });
  await setPayUntil(desk.pool, trade.tradeId, -1);
  expect(await startPayment(desk.deps, trade)).toMatchObject({ code: 'PAYMENT_EXPIRED' });
  await setPayUntil(desk.pool, trade.tradeId, 60_000);
  await desk.notify(trade);
  expect(await startPayment(desk.deps, trade)).toMatchObject({ code: 'ALREADY_PAID' });
  expect(await openIncidents(desk.pool, trade.tradeId)).toEqual([]);
});
