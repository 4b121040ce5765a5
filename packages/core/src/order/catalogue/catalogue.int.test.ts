import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPrisma, type PrismaClient } from '../../platform/prisma/client.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { listProducts, listShops, readProduct } from './index.ts';

let db: TestDatabase;
let prisma: PrismaClient;

beforeAll(async () => {
  db = await createTestDatabase('catalogue');
  prisma = openPrisma({ url: db.url, name: 'catalogue test', max: 2 });
  await db.pool.query(`
    INSERT INTO tinystore_order.shop (id, name, currency) VALUES ('S1', 'One', 'EUR'), ('S2', 'Two', 'EUR');
    INSERT INTO tinystore_order.product (id, shop_id, name, description, art, position) VALUES
      ('P2', 'S2', 'Mug', 'A mug.', 'mug', 2), ('P1', 'S1', 'Tee', 'A tee.', 'tee', 1), ('P3', 'S1', 'Gone', 'No more.', 'cap', 0);
    INSERT INTO tinystore_order.sku (shop_id, id, product_id, name, price_minor, active, position) VALUES
      ('S1', 'B', 'P1', 'M', 2100, true, 1), ('S1', 'A', 'P1', 'L', 2200, true, 2), ('S1', 'C', 'P1', 'XL', 2200, false, 0),
      ('S2', 'A', 'P2', '', 900, true, 0), ('S1', 'D', 'P3', '', 900, false, 0);
    UPDATE tinystore_order.sku SET order_limit = 3, buyer_limit = 5, buyer_window_seconds = 86400 WHERE shop_id = 'S1' AND id = 'A';`);
});
afterAll(async () => {
  await prisma.$disconnect();
  await db.drop();
});

test('The list shows what can be bought, in order, with exact prices', async () => {
  const products = await listProducts(prisma);
  expect(products.map(({ productId }) => productId)).toEqual(['P1', 'P2']);
  expect(products[0]).toEqual({
    productId: 'P1',
    shopId: 'S1',
    shopName: 'One',
    currency: 'EUR',
    name: 'Tee',
    description: 'A tee.',
    art: 'tee',
    skus: [
      { skuId: 'B', name: 'M', priceMinor: 2100, orderLimit: null, buyerLimit: null, buyerWindowSeconds: null },
      { skuId: 'A', name: 'L', priceMinor: 2200, orderLimit: 3, buyerLimit: 5, buyerWindowSeconds: 86_400 },
    ],
  });
});

test('A list of one shop names nothing of another', async () => {
  expect((await listProducts(prisma, { shopId: 'S2' })).map(({ productId }) => productId)).toEqual(['P2']);
  expect(await listProducts(prisma, { shopId: 'none' })).toEqual([]);
  expect((await listShops(prisma)).map(({ shopId }) => shopId).sort()).toEqual(['S1', 'S2']);
});

test('A product page without anything to buy says so instead of failing', async () => {
  expect(await readProduct(prisma, 'P3')).toMatchObject({ productId: 'P3', skus: [] });
  expect(await readProduct(prisma, "x' OR 1=1")).toBeNull();
});
