import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../platform/index.ts';
import { checkShop } from '../testing/check-shop.ts';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';
import { cancelOrder } from './index.ts';

describe('what an order was placed for', () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await openTestShop('placed-order');
  });
  afterAll(async () => shop.close());

  it.each([
    ['renamed', `UPDATE tinystore_order.sku SET id = 'K9' WHERE id = 'K1'`],
    ['moved to another product', `UPDATE tinystore_order.sku SET product_id = 'S1.K2' WHERE id = 'K1'`],
    ['removed', `DELETE FROM tinystore_order.sku WHERE id = 'K1'`],
    ['removed from the ledger', `DELETE FROM tinystore_inventory.inventory_stock WHERE sku_id = 'K1'`],
    ['renamed in the ledger', `UPDATE tinystore_inventory.inventory_stock SET sku_id = 'K9' WHERE sku_id = 'K1'`],
  ])('C28 – A hold stays with its product: a SKU that has stock is not %s', async (_what, change) => {
    if ((await shop.gate.read([{ shopId: 'S1', skuId: 'K1' }]))[0]?.kind !== 'read') {
      await shop.stock('K1', 10);
      await shop.stock('K2', 10);
    }
    const placed = await shop.order([{ skuId: 'K1', quantity: 2 }]);
    if (placed.kind !== 'placed') throw new Error(placed.message);
    await expect(shop.pool.query(change)).rejects.toMatchObject({ code: '23001' });
    const { tradeId } = placed;
    const operator = { kind: 'operator', name: 'test', reason: 'end of the case' } as const;
    expect(
      await cancelOrder(
        { pool: shop.pool, waker: { wake: () => undefined }, log: silentLog },
        { tradeId, by: operator },
      ),
    ).toEqual({ kind: 'closed' });
    expect(await checkShop(shop)).toEqual([]);
    expect((await shop.gate.read([{ shopId: 'S1', skuId: 'K1' }]))[0]).toMatchObject({ total: 10, deducted: 0 });
  });

  it.each([
    ['units', `UPDATE tinystore_order.order_line SET quantity = quantity + 1`],
    ['SKU', `UPDATE tinystore_order.order_line SET sku_id = 'K4'`],
    ['price', `UPDATE tinystore_order.order_line SET unit_price_minor = 1`],
    ['line', `DELETE FROM tinystore_order.order_line`],
    ['held units', `UPDATE tinystore_order.order_line_hold SET quantity = quantity + 1`],
    ['held SKU', `UPDATE tinystore_order.order_line_hold SET sku_id = 'K4'`],
    ['hold', `DELETE FROM tinystore_order.order_line_hold`],
  ])('C30 – The %s of a placed order cannot be changed behind the gate, by no route', async (_what, change) => {
    if ((await shop.gate.read([{ shopId: 'S1', skuId: 'K3' }]))[0]?.kind !== 'read') {
      await shop.stock('K3', 20);
      await shop.stock('K4', 10);
    }
    expect(await shop.order([{ skuId: 'K3', quantity: 2 }])).toMatchObject({ kind: 'placed' });
    await expect(shop.pool.query(change)).rejects.toMatchObject({ code: '23001' });
    expect(await checkShop(shop)).toEqual([]);
  });
});
