import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IncomingEvent, mint } from '../domain/index.ts';
import { inTransaction } from '../platform/index.ts';
import { deliverEvents } from '../testing/deliver-events.ts';
import { placeTestTrade } from '../testing/unpaid-trade.ts';
import { applyTradeEvents } from './apply-trade-events.ts';
import { cancelOrder } from './cancel-order.ts';
import { openPaymentDesk, type PaymentDesk, readBooks, setPayUntil } from './payment/payment-desk.testing.ts';
import { readPayment } from './payment/read-payment.ts';
import { listTrades, readTrade } from './read-trade.ts';
import { raiseBuyerLimit } from './trade/raise-buyer-limit.ts';

let desk: PaymentDesk;
beforeAll(async () => {
  desk = await openPaymentDesk('read_trade');
});
afterAll(() => desk.close());

test('an order page shows every line with its reservation, pending until the ledger has recorded it', async () => {
  const trade = await desk.trade({ shops: ['S2', 'S1'], quantity: 2, recorded: false });
  const before = await readTrade(desk.pool, trade);
  expect(before).toMatchObject({
    id: trade.tradeId,
    status: 'UNPAID',
    currency: 'EUR',
    totalMinor: 7996,
    payment: { intentId: trade.intentId, status: 'CREATED', attempt: 1 },
    latePayments: [],
    shopOrders: [
      {
        shopId: 'S1',
        status: 'RESERVING',
        subtotalMinor: 3998,
        lines: [{ skuId: trade.skuId, quantity: 2, unitPriceMinor: 1999, reservationStatus: 'PENDING' }],
      },
      { shopId: 'S2', status: 'RESERVING' },
    ],
  });
  expect(before?.payUntil.getTime()).toBeGreaterThan(before?.serverNow.getTime() ?? Infinity);
  await deliverEvents(desk.pool);
  const after = await readTrade(desk.pool, trade);
  expect(after?.shopOrders.map((so) => [so.status, so.lines[0]?.reservationStatus])).toEqual([
    ['RESERVED', 'PRE_DEDUCTED'],
    ['RESERVED', 'PRE_DEDUCTED'],
  ]);
});

test('an unpaid order past its time reads as expired before any job has run', async () => {
  const trade = await desk.trade();
  await setPayUntil(desk.pool, trade.tradeId, -1);
  expect(await readTrade(desk.pool, trade)).toMatchObject({ status: 'EXPIRED' });
  expect(await listTrades(desk.pool, trade.buyerId)).toMatchObject([
    { id: trade.tradeId, status: 'EXPIRED', totalMinor: 1999 },
  ]);
});

test('late money is shown on the order, and nobody else reads it', async () => {
  const trade = await desk.trade();
  await desk.notify(trade);
  await desk.notify(trade);
  expect(await readTrade(desk.pool, { tradeId: trade.tradeId })).toMatchObject({
    status: 'PAID_PENDING',
    latePayments: [{ cause: 'SECOND', status: 'OPEN', amountMinor: 1999, currency: 'EUR' }],
  });
  expect(await readTrade(desk.pool, { tradeId: trade.tradeId, buyerId: mint() })).toBeNull();
  expect(await readTrade(desk.pool, { tradeId: mint() })).toBeNull();
  expect(await readPayment(desk.pool, trade.intentId)).toMatchObject({
    tradeId: trade.tradeId,
    status: 'SUCCEEDED',
    amountMinor: 1999,
  });
  expect(await readPayment(desk.pool, mint())).toBeNull();
});

test("P23 – an order counts among its buyer's open ones until it is paid or closed, and is taken off once", async () => {
  const first = await desk.trade();
  const second = await placeTestTrade(desk.pool, {
    buyerId: first.buyerId,
    lines: [{ shopId: 'S1', skuId: first.skuId, quantity: 1 }],
  });
  await deliverEvents(desk.pool);
  expect((await readBooks(desk.pool, first.tradeId)).openOrders).toBe(2);
  const event = (type: 'TRADE_PAID' | 'TRADE_CLOSED', tradeId: string): IncomingEvent => {
    const more = { id: mint(), key: tradeId, traceId: 'test', occurredAt: '2026-11-30T12:00:00Z' };
    const payload = { tradeId, buyerId: first.buyerId };
    return type === 'TRADE_PAID'
      ? { ...more, type, payload }
      : { ...more, type, payload: { ...payload, reason: 'TIMED_OUT' } };
  };
  const apply = (events: IncomingEvent[]) => inTransaction(desk.pool, (tx) => applyTradeEvents(tx, events));
  await desk.notify(first);
  await deliverEvents(desk.pool);
  expect((await readBooks(desk.pool, first.tradeId)).openOrders).toBe(1);
  // Revived by late money it counts again, past any limit, until it is paid; both events may come in one batch.
  await inTransaction(desk.pool, (tx) => raiseBuyerLimit(tx, first));
  expect((await readBooks(desk.pool, first.tradeId)).openOrders).toBe(2);
  await apply([event('TRADE_CLOSED', first.tradeId), event('TRADE_PAID', first.tradeId)]);
  expect((await readBooks(desk.pool, first.tradeId)).openOrders).toBe(1);
  await cancelOrder(desk.deps, { tradeId: second.tradeId, by: { kind: 'buyer', buyerId: second.buyerId } });
  await deliverEvents(desk.pool);
  await apply([event('TRADE_CLOSED', second.tradeId)]);
  expect((await readBooks(desk.pool, first.tradeId)).openOrders).toBe(0);
});
