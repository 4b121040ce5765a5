import { afterAll, beforeAll, expect, test } from 'vitest';
import { skuKeys } from '../../../gate/index.ts';
import { releaseReservations } from '../../../ledger/index.ts';
import { inTransaction } from '../../../platform/index.ts';
import { openIncidents } from '../payment-desk.testing.ts';
import { type LateMoneyDesk, openLateMoneyDesk, type PlacedOrder } from './late-money-desk.testing.ts';
import { settleLateMoney } from './settle-late-money.ts';

let desk: LateMoneyDesk;
beforeAll(async () => {
  desk = await openLateMoneyDesk('conflict');
});
afterAll(() => desk.close());

/** The units of a paid order end before its CONFIRM comes, which nothing in the product does. */
async function endUnits(order: PlacedOrder): Promise<void> {
  await inTransaction(desk.pool, async (tx) => {
    const { rows } = await tx.query<{
      shopOrderId: string;
      reservationId: string;
      shopId: string;
      skuId: string;
      quantity: number;
    }>(
      `SELECT shop_order_id AS "shopOrderId", reservation_id AS "reservationId", shop_id AS "shopId", sku_id AS "skuId", quantity
       FROM tinystore_order.order_line_hold WHERE trade_id = $1 AND state = 'CURRENT' ORDER BY shop_order_id LIMIT 1`,
      [order.tradeId],
    );
    const [line] = rows;
    if (!line) throw new Error('no line');
    await releaseReservations(tx, [
      { tradeId: order.tradeId, shopOrderId: line.shopOrderId, lines: [line], reason: 'TEST', traceId: 'test' },
    ]);
  });
}

test('P27 – a paid order whose units had ended hands its money over, is revived with new ids, and may do so again', async () => {
  await Promise.all([desk.stock('K', 2, 'S1'), desk.stock('K', 2, 'S2')]);
  const lines = [
    { skuId: 'K', shopId: 'S1', quantity: 1 },
    { skuId: 'K', shopId: 'S2', quantity: 1 },
  ];
  const a = await desk.place(lines);
  expect(await desk.notify(a)).toMatchObject({ verdict: 'PAID' });
  await endUnits(a);
  await desk.settle();
  expect(await desk.books(a)).toMatchObject({
    trade: 'CLOSED',
    closeReason: 'CONFIRM_CONFLICT',
    late: ['CONFIRM_CONFLICT OPEN'],
  });
  expect(await openIncidents(desk.pool, a.tradeId)).toEqual(['CONFIRM_CONFLICT']);

  // Revived, and before its CONFIRM is handled the units end once more.
  expect(await settleLateMoney(desk.deps, { limit: 10 })).toMatchObject({ revived: 1 });
  expect(await desk.books(a)).toMatchObject({ trade: 'PAID_PENDING', late: ['CONFIRM_CONFLICT REVIVED'] });
  await endUnits(a);
  await desk.settle();
  expect(await desk.books(a)).toMatchObject({ trade: 'CLOSED', late: ['CONFIRM_CONFLICT OPEN'] });

  expect(await desk.runJob()).toMatchObject({ revived: 1 });
  expect(await desk.books(a)).toMatchObject({
    trade: 'PAID',
    shopOrders: ['CONFIRMED', 'CONFIRMED'],
    openOrders: 0,
    late: ['CONFIRM_CONFLICT REVIVED'],
  });
  expect(await openIncidents(desk.pool, a.tradeId)).toEqual([]);
  for (const shopId of ['S1', 'S2']) expect(await desk.atGate('K', shopId)).toEqual({ deducted: 1, holds: 0 });
});

test('units that the gate admits and the ledger does not have are no revive: the money goes back', async () => {
  await desk.stock('short', 1);
  const a = await desk.place([{ skuId: 'short', quantity: 1 }]);
  await desk.runOutOfTime(a);
  const b = await desk.place([{ skuId: 'short', quantity: 1 }]);
  await desk.notify(b);
  await desk.settle();
  await desk.redis.incr(skuKeys({ shopId: 'S1', skuId: 'short' })[0]);
  await desk.notify(a);
  await desk.runJob();
  expect(await desk.books(a)).toMatchObject({ trade: 'CLOSED', late: ['LATE REFUND_DUE'] });
  expect(await desk.books(b)).toMatchObject({ trade: 'PAID' });
  expect(await desk.atGate('short')).toEqual({ deducted: 1, holds: 0 });
});
