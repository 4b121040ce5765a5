import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliverEvents } from '../../testing/deliver-events.ts';
import { cancelOrder } from '../cancel-order.ts';
import { readBooks, readStock } from '../payment/payment-desk.testing.ts';
import { openRefundDesk, type RefundDesk } from './refund-desk.testing.ts';

let desk: RefundDesk;
beforeAll(async () => {
  desk = await openRefundDesk('close_and_refund');
});
afterAll(() => desk.close());

const closeAndRefund = (tradeId: string) =>
  cancelOrder(desk.deps, { tradeId, by: { kind: 'operator', ...desk.operator, ifPaid: 'close-and-refund' } });
const refundsOf = async (tradeId: string) =>
  (await desk.pool.query('SELECT cause, status FROM tinystore_order.refund WHERE trade_id = $1', [tradeId])).rows;

test('P30 – a payment still being booked is given back only after the release has reached every row', async () => {
  const trade = await desk.trade({ shops: ['S1', 'S2'], quantity: 2 });
  await desk.notify(trade);
  expect(await closeAndRefund(trade.tradeId)).toEqual({ kind: 'closed' });
  expect(await closeAndRefund(trade.tradeId)).toEqual({ kind: 'closed' });
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({
    trade: 'CLOSED',
    closeReason: 'OPERATOR_CANCELLED',
    shopOrders: ['RELEASING', 'RELEASING'],
    rows: ['PRE_DEDUCTED', 'PRE_DEDUCTED'],
  });
  const sentEarly = await desk.sendOnly();
  expect(sentEarly.scanned).toBe(0);
  expect(await refundsOf(trade.tradeId)).toEqual([{ cause: 'CANCELLED', status: 'REQUESTED' }]);
  // The CONFIRM of the payment comes first and finds the trade closed (P27).
  await deliverEvents(desk.pool);
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({
    shopOrders: ['RELEASED', 'RELEASED'],
    rows: ['RELEASED', 'RELEASED'],
    openOrders: 0,
  });
  await desk.send();
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({ trade: 'REFUNDED', intent: 'REFUNDED' });
  expect(await desk.paidBackMinor(trade.tradeId)).toBe(trade.totalMinor);
  expect(await readStock(desk.pool, trade.skuId)).toEqual({ total: 10, reserved: 0, confirmed: 0 });
});

test('the refund may be back before the order has heard of the release, and still ends RELEASED', async () => {
  const trade = await desk.trade();
  await desk.notify(trade);
  await closeAndRefund(trade.tradeId);
  await deliverEvents(desk.pool, ['INVENTORY_CONFIRM', 'INVENTORY_RELEASE']);
  await desk.sendOnly();
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({ trade: 'REFUNDED', shopOrders: ['RELEASING'] });
  await deliverEvents(desk.pool);
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({ trade: 'REFUNDED', shopOrders: ['RELEASED'] });
});

test('C25 – units that the ledger has confirmed are not closed away: refund instead', async () => {
  const trade = await desk.trade({ quantity: 2 });
  await desk.notify(trade);
  await deliverEvents(desk.pool, ['INVENTORY_CONFIRM']);
  expect((await readBooks(desk.pool, trade.tradeId)).trade).toBe('PAID_PENDING');
  expect(await closeAndRefund(trade.tradeId)).toMatchObject({ code: 'ALREADY_PAID' });
  await deliverEvents(desk.pool);
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({ trade: 'PAID', rows: ['CONFIRMED'] });
  expect(await readStock(desk.pool, trade.skuId)).toEqual({ total: 8, reserved: 0, confirmed: 2 });
  expect(await refundsOf(trade.tradeId)).toEqual([]);
});

test('C25 – close and confirm at once: either released with its money back, or confirmed and the close refused', async () => {
  for (let round = 0; round < 20; round++) {
    const trade = await desk.trade();
    await desk.notify(trade);
    const [answer] = await Promise.all([
      closeAndRefund(trade.tradeId),
      deliverEvents(desk.pool, ['INVENTORY_CONFIRM']),
    ]);
    await desk.send();
    await desk.send();
    const { trade: state, rows } = await readBooks(desk.pool, trade.tradeId);
    const outcome = `${'code' in answer ? answer.code : answer.kind} ${state} ${rows}`;
    expect(['closed REFUNDED RELEASED', 'ALREADY_PAID PAID CONFIRMED']).toContain(outcome);
  }
});
