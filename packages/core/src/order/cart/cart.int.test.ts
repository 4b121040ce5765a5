import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { classifyDatabaseError, isDatabaseError } from '../../platform/index.ts';
import { openPrisma, type PrismaClient } from '../../platform/prisma/client.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { putCartLine, readCart, removeCartLine } from './index.ts';

let db: TestDatabase;
let prisma: PrismaClient;
let buyerId: string;
const put = (skuId: string, quantity: number, mode: 'add' | 'set' = 'add') =>
  putCartLine(prisma, { buyerId, shopId: 'S1', skuId, quantity, mode });
const count = async (table: string) =>
  (await db.pool.query<{ n: number }>(`SELECT count(*) AS n FROM tinystore_order.${table}`)).rows[0]?.n;

beforeAll(async () => {
  db = await createTestDatabase('cart');
  prisma = openPrisma({ url: db.url, name: 'cart test', max: 4, lockTimeoutMs: 10_000 });
  await db.pool.query(`
    INSERT INTO tinystore_order.shop (id, name, currency) VALUES ('S1', 'Shop', 'EUR');
    INSERT INTO tinystore_order.product (id, shop_id, name, description, art) VALUES ('P1', 'S1', 'Tee', 'A tee.', 'tee');
    INSERT INTO tinystore_order.sku (shop_id, id, product_id, name, price_minor) SELECT 'S1', 'K' || i, 'P1', 'K' || i, 1999 FROM generate_series(1, 51) i;
    INSERT INTO tinystore_order.sku (shop_id, id, product_id, name, price_minor, active) VALUES ('S1', 'OFF', 'P1', 'Off', 1999, false);`);
});
beforeEach(() => {
  buyerId = randomUUID();
});
afterAll(async () => {
  await prisma.$disconnect();
  await db.drop();
});

async function order(cartId: string | null, status: string, payIn: string): Promise<string> {
  const { rows } = await db.pool.query<{ id: string }>(
    `INSERT INTO tinystore_order.trade (id, buyer_id, idempotency_key, fingerprint, cart_id, status, currency, total_minor, pay_until)
     VALUES (gen_random_uuid(), $1, gen_random_uuid()::text, 'f', $2, $3, 'EUR', 1, ops.clock_now() + $4::interval) RETURNING id`,
    [buyerId, cartId, status, payIn],
  );
  return rows[0]?.id ?? '';
}

test('C04 – Two tabs that each add 3 to one cart make one line of 6', async () => {
  await Promise.all([put('K1', 3), put('K1', 3)]);
  const cart = await readCart(prisma, buyerId);
  expect(cart.lines.map((line) => [line.skuId, line.quantity])).toEqual([['K1', 6]]);
  expect(cart.totals).toEqual([{ currency: 'EUR', totalMinor: 6 * 1999 }]);
});

test('Many first adds at once make one cart and lose none of them', async () => {
  await Promise.all(Array.from({ length: 10 }, (_, i) => put(`K${i + 1}`, i + 1)));
  const cart = await readCart(prisma, buyerId);
  expect(cart).toMatchObject({ units: 55, openTrade: null });
  expect((await db.pool.query('SELECT 1 FROM tinystore_order.cart WHERE buyer_id = $1', [buyerId])).rowCount).toBe(1);
});

test('Setting a quantity replaces it, removing a line twice is harmless, and other carts stay as they are', async () => {
  await put('K1', 5);
  expect(await put('K1', 2, 'set')).toMatchObject({ kind: 'put', quantity: 2 });
  await put('K2', 1);
  const line = { shopId: 'S1', skuId: 'K1' };
  await removeCartLine(prisma, { buyerId: randomUUID(), ...line });
  expect((await readCart(prisma, buyerId)).lines).toHaveLength(2);
  await removeCartLine(prisma, { buyerId, ...line });
  expect(await removeCartLine(prisma, { buyerId, ...line })).toEqual({ kind: 'removed' });
  expect((await readCart(prisma, buyerId)).lines.map(({ skuId }) => skuId)).toEqual(['K2']);
});

test.each([0, -1, 1.5, 10_000, 1e9, Number.NaN])(
  'A quantity of %d is refused and nothing is stored',
  async (quantity) => {
    const before = await count('buyer');
    expect(await put('K1', quantity)).toMatchObject({ kind: 'refused', code: 'INVALID_INPUT', field: 'quantity' });
    expect(await count('buyer')).toBe(before);
  },
);

test.each(['NONE', 'k1', 'K1 ', 'OFF', '', "'; --"])(
  'SKU "%s" is refused as unknown and nothing is stored',
  async (skuId) => {
    const before = await count('buyer');
    expect(await put(skuId, 1)).toMatchObject({ kind: 'refused', code: 'UNKNOWN_SKU' });
    expect(await count('buyer')).toBe(before);
  },
);

test('A line never grows past 9 999 units, also when added at once', async () => {
  const answers = await Promise.all([put('K1', 6000), put('K1', 6000)]);
  expect(answers.map((answer) => answer.kind).sort()).toEqual(['put', 'refused']);
  expect(answers).toContainEqual(expect.objectContaining({ code: 'LIMIT_EXCEEDED', field: 'quantity' }));
  expect((await readCart(prisma, buyerId)).units).toBe(6000);
});

test('A cart takes 50 different items and refuses the 51st, while the others can still be changed', async () => {
  for (let i = 1; i <= 49; i++) await put(`K${i}`, 1);
  const answers = await Promise.all([put('K50', 1), put('K51', 1)]);
  expect(answers.map((answer) => answer.kind).sort()).toEqual(['put', 'refused']);
  expect(answers).toContainEqual(expect.objectContaining({ code: 'LIMIT_EXCEEDED', field: 'lines' }));
  expect(await put('K1', 1)).toMatchObject({ kind: 'put', quantity: 2 });
});

test('An unpaid order leaves its cart current and is named with it; once expired it says so', async () => {
  await put('K1', 1);
  const { cartId } = await readCart(prisma, buyerId);
  const tradeId = await order(cartId, 'UNPAID', '1 minute');
  expect(await readCart(prisma, buyerId)).toMatchObject({ cartId, units: 1, openTrade: { tradeId, expired: false } });
  await db.pool.query(`UPDATE tinystore_order.trade SET pay_until = ops.clock_now() WHERE id = $1`, [tradeId]);
  expect(await readCart(prisma, buyerId)).toMatchObject({ cartId, openTrade: { tradeId, expired: true } });
});

test('A closed order gives its cart back, a paid one starts a new cart', async () => {
  await put('K1', 1);
  const { cartId } = await readCart(prisma, buyerId);
  await order(cartId, 'CLOSED', '0 s');
  expect(await readCart(prisma, buyerId)).toMatchObject({ cartId, openTrade: null, units: 1 });
  await order(cartId, 'PAID_PENDING', '1 minute');
  expect(await readCart(prisma, buyerId)).toEqual({ cartId: null, openTrade: null, lines: [], units: 0, totals: [] });
  await put('K2', 4);
  const next = await readCart(prisma, buyerId);
  expect(next.cartId).not.toBe(cartId);
  expect(next.lines.map(({ skuId }) => skuId)).toEqual(['K2']);
});

test('A cart worth more than any order may cost is still shown, line by line and in total', async () => {
  await db.pool.query(`INSERT INTO tinystore_order.sku (shop_id, id, product_id, name, price_minor)
    SELECT 'S1', id, 'P1', id, 99999999 FROM unnest(ARRAY['YACHT', 'LINER']) id`);
  await put('YACHT', 9999);
  await put('LINER', 9999);
  const cart = await readCart(prisma, buyerId);
  expect(cart.lines).toHaveLength(2);
  expect(cart.totals).toEqual([{ currency: 'EUR', totalMinor: 2 * 9999 * 99_999_999 }]);
});

test('P33 – A lock that is not had, an ended session and a server that is away are told apart, also through Prisma', async () => {
  const hasty = openPrisma({ url: db.url, name: 'hasty', max: 1, lockTimeoutMs: 50 });
  const lost = openPrisma({ url: 'postgres://nobody@127.0.0.1:1/none', name: 'lost', max: 1 });
  const holder = await db.pool.connect();
  try {
    await holder.query('BEGIN; LOCK TABLE tinystore_order.shop IN ACCESS EXCLUSIVE MODE');
    const meanings = [
      await failureOf(hasty.shop.findMany()),
      await failureOf(hasty.$queryRaw`SELECT pg_terminate_backend(pg_backend_pid())`),
      await failureOf(lost.shop.findMany()),
    ];
    expect(meanings).toEqual(['repeat', 'unknown', 'outage']);
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
    await Promise.all([hasty.$disconnect(), lost.$disconnect()]);
  }
  expect([isDatabaseError(new TypeError('x is not a function')), isDatabaseError(new Error('no such state'))]).toEqual([
    false,
    false,
  ]);
});

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => 'it worked',
    (reason: unknown) => reason,
  );
  expect(isDatabaseError(error)).toBe(true);
  return classifyDatabaseError(error);
}

test('A cart is kept for its buyer: weeks later it shows what was put in, at the price and state of that day', async () => {
  await put('K1', 2);
  await put('K2', 1);
  await db.pool.query(
    `UPDATE tinystore_order.cart SET created_at = created_at - interval '80 days' WHERE buyer_id = $1`,
    [buyerId],
  );
  await db.pool.query(`UPDATE tinystore_order.sku SET price_minor = 2499 WHERE id = 'K1'`);
  await db.pool.query(`UPDATE tinystore_order.sku SET active = false WHERE id = 'K2'`);
  // A new session of the same cookie: nothing of the first one is left in the process.
  const later = openPrisma({ url: db.url, name: 'cart test, later', max: 1 });
  try {
    const cart = await readCart(later, buyerId);
    expect(
      cart.lines.map(({ skuId, quantity, unitPriceMinor, active }) => ({ skuId, quantity, unitPriceMinor, active })),
    ).toEqual([
      { skuId: 'K1', quantity: 2, unitPriceMinor: 2499, active: true },
      { skuId: 'K2', quantity: 1, unitPriceMinor: 1999, active: false },
    ]);
    expect(cart.totals).toEqual([{ currency: 'EUR', totalMinor: 4998 }]);
  } finally {
    await later.$disconnect();
    await db.pool.query(`UPDATE tinystore_order.sku SET price_minor = 1999, active = true WHERE id IN ('K1', 'K2')`);
  }
});
