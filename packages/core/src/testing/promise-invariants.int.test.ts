import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mint } from '../domain/index.ts';
import { makeCoupon } from '../order/promotion/coupon-desk.testing.ts';
import { inTransaction } from '../platform/index.ts';
import { deliverEvents } from './deliver-events.ts';
import { findBroken } from './invariants.ts';
import { openTestShop, type TestShop } from './test-shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop('promise-invariants');
  await shop.stock('K1', 10);
  await shop.pool.query('UPDATE tinystore_order.sku SET buyer_limit = 5, buyer_window_seconds = 3600');
  await makeCoupon(shop.pool, { code: 'TEN', kind: 'PERCENT', value: 10, usageLimit: 5 });
  const placed = await shop.order([{ skuId: 'K1', quantity: 2 }], { buyerId: mint<'BuyerId'>(), coupon: 'TEN' });
  if (placed.kind !== 'placed') throw new Error(placed.message);
  await deliverEvents(shop.pool);
});
afterAll(async () => shop.close());

class Undo extends Error {}

async function plant(statement: string): Promise<string[]> {
  let found: string[] = [];
  await inTransaction(shop.pool, async (tx) => {
    await tx.query(statement);
    found = (await findBroken(tx)).map((violation) => violation.sentence);
    throw new Undo();
  }).catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
  return found;
}

test('a shop with a limit and a coupon has no violation', async () => {
  expect(await findBroken(shop.pool)).toEqual([]);
});

describe('each invariant of limits and coupons can fail', () => {
  test.each([
    ['buyer_limit SET open_orders = open_orders + 1', 'a buyer whose open orders are counted wrong'],
    ['buyer_sku_limit SET units = units - 1', 'a buyer whose units of a limited SKU are counted wrong'],
    ['coupon SET used = used + 1', 'a coupon whose uses are counted wrong, or used more often than it may'],
    [`promotion_lock SET status = 'RELEASED'`, 'a coupon in another state than its order'],
    ['trade SET discount_minor = discount_minor + 1', 'a discount that its shares do not add up to'],
  ])('%s', async (change, sentence) => {
    expect(await plant(`UPDATE tinystore_order.${change}`)).toContain(sentence);
  });
});
