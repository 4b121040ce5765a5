import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LateMoneyDesk, openLateMoneyDesk } from './late-money-desk.testing.ts';

let desk: LateMoneyDesk;
beforeAll(async () => {
  desk = await openLateMoneyDesk('late_limit');
});
afterAll(() => desk.close());

test('P23 – a revived order of a limited SKU counts once against its buyer, as before it ran out of time', async () => {
  await desk.stock('few', 10);
  await desk.pool.query(`UPDATE tinystore_order.sku SET buyer_limit = 4, buyer_window_seconds = 3600 WHERE id = 'few'`);
  const a = await desk.place([{ skuId: 'few', quantity: 3 }]);
  const counted = async () => {
    const { rows } = await desk.pool.query<{ units: number; orders: number }>(
      `SELECT b.units, l.open_orders AS orders FROM tinystore_order.buyer_sku_limit b
       JOIN tinystore_order.buyer_limit l USING (buyer_id) WHERE buyer_id = $1`,
      [a.buyerId],
    );
    return rows;
  };
  expect(await counted()).toEqual([{ units: 3, orders: 1 }]);
  await desk.runOutOfTime(a);
  expect(await counted()).toEqual([{ units: 0, orders: 0 }]);
  await desk.notify(a);
  expect(await desk.runJob()).toMatchObject({ revived: 1 });
  expect(await counted()).toEqual([{ units: 3, orders: 0 }]);
});
