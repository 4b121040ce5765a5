import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../packages/core/src/testing/database.ts';
import { HOT_SKU } from './seed/catalogue.ts';
import { DEMO_LOGINS, seed } from './seed.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase('seed');
});
afterAll(() => db.drop());

const read = async (sql: string) => (await db.pool.query(sql)).rows;
const stock = () =>
  read(
    'SELECT sku_id, total_quantity AS units FROM tinystore_inventory.inventory_stock ORDER BY total_quantity, sku_id',
  );

test('A production seed brings the shops and no account', async () => {
  expect(await seed(db.url, 'production')).toContain('0 demo logins');
  expect(await read('SELECT email FROM ops."user"')).toEqual([]);
  expect(await read('SELECT count(*) AS shops FROM tinystore_order.shop')).toEqual([{ shops: 3 }]);
  const units = await stock();
  expect(units).toHaveLength(12);
  expect(units.slice(0, 2)).toEqual([expect.objectContaining({ units: 0 }), expect.objectContaining({ units: 1 })]);
  expect(units).toContainEqual({ sku_id: HOT_SKU.skuId, units: 100 });
});

test('Every seeded SKU, the sold-out one too, waits to be installed at the gate', async () => {
  expect(await read(`SELECT count(*) AS n FROM tinystore_inventory.gate_effect WHERE kind = 'INSTALL'`)).toEqual([
    { n: 12 },
  ]);
});

test('A second seed adds the demo logins, no units and no effects', async () => {
  const before = [await stock(), await read('SELECT count(*) FROM tinystore_inventory.stock_movement')];
  expect(await seed(db.url, 'demo')).toBe(
    `seed: catalogue in place, 0 units came in, ${DEMO_LOGINS.length} demo logins`,
  );
  await seed(db.url, 'demo');
  expect([await stock(), await read('SELECT count(*) FROM tinystore_inventory.stock_movement')]).toEqual(before);
  expect(await read('SELECT role, demo FROM ops."user" ORDER BY role')).toEqual([
    { role: 'admin', demo: true },
    { role: 'operator', demo: true },
    { role: 'viewer', demo: true },
  ]);
});
