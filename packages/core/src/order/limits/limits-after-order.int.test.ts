/** P23: what an order's end does to the units its buyer may still have, whatever order its events come in. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mint } from '../../domain/index.ts';
import { deliverEvents } from '../../testing/deliver-events.ts';
import { endByTime } from '../end-by-time.ts';
import { type LateMoneyDesk, openLateMoneyDesk, type PlacedOrder } from '../payment/late/late-money-desk.testing.ts';
import { settleLateMoney } from '../payment/late/settle-late-money.ts';
import { setPayUntil } from '../payment/payment-desk.testing.ts';
import { refundOrder } from '../refund/refund-order.ts';
import { sendRefunds } from '../refund/send-refunds.ts';

let desk: LateMoneyDesk;
beforeAll(async () => {
  desk = await openLateMoneyDesk('limits_after_order');
});
afterAll(() => desk.close());

/** Five units a buyer and day. */
async function limited(skuId: string): Promise<void> {
  await desk.stock(skuId, 50);
  await desk.pool.query('UPDATE tinystore_order.sku SET buyer_limit = 5, buyer_window_seconds = 86400 WHERE id = $1', [
    skuId,
  ]);
}
async function counted({ buyerId }: PlacedOrder): Promise<number[]> {
  const { rows } = await desk.pool.query<{ units: number }>(
    'SELECT units FROM tinystore_order.buyer_sku_limit WHERE buyer_id = $1 ORDER BY window_start',
    [buyerId],
  );
  return rows.map((row) => row.units);
}
async function paid(skuId: string, quantity: number): Promise<PlacedOrder & { readonly shopOrderId: string }> {
  const order = await desk.place([{ skuId, quantity }]);
  await desk.notify(order);
  await desk.settle();
  const { rows } = await desk.pool.query<{ id: string }>(
    'SELECT id FROM tinystore_order.shop_order WHERE trade_id = $1',
    [order.tradeId],
  );
  return { ...order, shopOrderId: rows[0]?.id ?? '' };
}
const provider = {
  refund: ({ refundId }: { refundId: string }) =>
    Promise.resolve({ kind: 'succeeded', providerRef: `re_${refundId}` } as const),
  readRefund: () => Promise.resolve({ kind: 'unknown' } as const),
};
async function refund(
  order: { tradeId: string; shopOrderId: string },
  skuId: string,
  quantity: number,
  amount?: number,
) {
  const line = { shopOrderId: order.shopOrderId, skuId, quantity, units: 'NO_RESTOCK', amountMinor: amount } as const;
  const done = await refundOrder(desk.deps, {
    tradeId: order.tradeId,
    wish: { kind: 'lines', lines: [line] },
    idempotencyKey: mint<'key'>(),
    by: { name: 'ada', reason: 'the case needs it' },
  });
  expect(done).toMatchObject({ kind: 'refunded' });
  await sendRefunds({ ...desk.deps, provider }, { limit: 100 });
  await desk.settle();
}

test('a revived order counts, also when the event of its closing comes after the revive', async () => {
  await limited('late-close');
  const order = await desk.place([{ skuId: 'late-close', quantity: 4 }]);
  expect(await counted(order)).toEqual([4]);
  await setPayUntil(desk.pool, order.tradeId, -1);
  await endByTime(desk.deps, { limit: 10 });
  await desk.gatekeeper.runOnce();
  await desk.notify(order);
  expect(await settleLateMoney(desk.deps, { limit: 10 })).toMatchObject({ revived: 1 });
  expect(await deliverEvents(desk.pool)).toEqual(expect.arrayContaining(['TRADE_CLOSED', 'TRADE_PAID']));
  await desk.settle();
  expect(await counted(order)).toEqual([4]);
});

test('a closed order that is revived counts anew, past the limit, without a check', async () => {
  await limited('past-limit');
  const order = await desk.place([{ skuId: 'past-limit', quantity: 4 }]);
  await desk.runOutOfTime(order);
  expect(await counted(order)).toEqual([0]);
  const other = await desk.order([{ skuId: 'past-limit', quantity: 5 }], { buyerId: order.buyerId });
  expect(other).toMatchObject({ kind: 'placed' });
  await desk.notify(order);
  expect(await desk.runJob()).toMatchObject({ revived: 1 });
  expect(await counted(order)).toEqual([9]);
});

test('units whose money went back count no more; money alone, and units that come back without money, change nothing', async () => {
  await limited('back');
  const order = await paid('back', 4);
  await refund(order, 'back', 1);
  expect(await counted(order)).toEqual([3]);
  await refund(order, 'back', 0, 3 * 1999);
  expect(await counted(order)).toEqual([3]);
  await refund(order, 'back', 3, 0);
  expect(await counted(order)).toEqual([3]);
});
