import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_STOCK, mint } from '../domain/index.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { receiveStock } from './index.ts';
import { readStock } from './ledger-books.testing.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('receive');
  const { pool } = database;
  await pool.query(`INSERT INTO tinystore_order.shop (id, name, currency) VALUES ('S1', 'S1', 'EUR')`);
  await pool.query(
    `INSERT INTO tinystore_order.product (id, shop_id, name, description, art) VALUES ('P1', 'S1', 'P1', '', 'tee')`,
  );
  await pool.query(
    `INSERT INTO tinystore_order.sku (shop_id, id, product_id, name, price_minor) VALUES ('S1', 'K1', 'P1', 'one', 100), ('S1', 'K2', 'P1', 'two', 100)`,
  );
});
afterAll(() => database.drop());

const receive = (quantity: number, operationId: string, skuId = 'K1') =>
  receiveStock(database.pool, { shopId: 'S1', skuId, quantity, operationId, actor: 'test' });
const effects = async () =>
  (
    await database.pool.query<{ kind: string; quantity: number | null }>(
      `SELECT kind, quantity FROM tinystore_inventory.gate_effect WHERE sku_id = 'K1' ORDER BY id`,
    )
  ).rows;

test('C07 – A receipt is booked once per operation, also when it comes 20 times at once', async () => {
  const [first, second] = [mint<'OperationId'>(), mint<'OperationId'>()];
  const answers = await Promise.all(Array.from({ length: 20 }, () => receive(5, first)));
  expect(answers.filter((answer) => answer.kind === 'received')).toEqual([{ kind: 'received', totalQuantity: 5 }]);
  expect(answers.filter((answer) => answer.kind === 'repeated')).toHaveLength(19);
  expect(await receive(7, second)).toEqual({ kind: 'received', totalQuantity: 12 });
  expect(await receive(7, second)).toEqual({ kind: 'repeated' });
  expect(await readStock(database.pool)).toEqual({ 'S1.K1': '12/0/0' });
  expect(await effects()).toEqual([
    { kind: 'INSTALL', quantity: null },
    { kind: 'RAISE', quantity: 12 },
  ]);
});

test('A receipt that cannot be booked is refused and changes nothing', async () => {
  const used = mint<'OperationId'>();
  await receive(1, used, 'K2');
  expect(await receive(2, used, 'K2')).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  for (const quantity of [0, -1, 1.5, Number.NaN, MAX_STOCK + 1])
    expect(await receive(quantity, mint<'OperationId'>(), 'K2')).toMatchObject({ code: 'INVALID_INPUT' });
  expect(await receive(MAX_STOCK, mint<'OperationId'>(), 'K2')).toMatchObject({ code: 'INVALID_INPUT' });
  expect(await receive(1, mint<'OperationId'>(), 'K9')).toMatchObject({ code: 'UNKNOWN_SKU' });
  expect(await readStock(database.pool)).toMatchObject({ 'S1.K2': '1/0/0' });
  const { rows } = await database.pool.query(`SELECT 1 FROM tinystore_inventory.stock_movement WHERE sku_id = 'K2'`);
  expect(rows).toHaveLength(1);
});
