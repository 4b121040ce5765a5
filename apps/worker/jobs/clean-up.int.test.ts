import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase, testConfig } from '@holdfast/core/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanUp } from './clean-up.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('clean_up');
});
afterAll(() => database.drop());

/** Rows of one table by age in days. */
async function plant(days: number, rows: number, insert: (n: number, at: string) => string): Promise<void> {
  await database.pool.query(insert(rows, `ops.clock_now() - interval '${days} days'`));
}
const OUTBOX_STATE: Record<string, string> = {
  PENDING: 'INSERT INTO tinystore_order.outbox_pending (id) SELECT id FROM e',
  PARKED: `INSERT INTO tinystore_order.outbox_pending SELECT id, 'PARKED', 't', 'k', 'x' FROM e`,
  SENT: 'INSERT INTO tinystore_order.outbox_sent SELECT id, 0, 0, AT FROM e',
};
const count = async (what: string) =>
  (await database.pool.query<{ n: number }>(`SELECT count(*) AS n FROM ${what}`)).rows[0]?.n;

test('C57 – the clean-up removes only what is done and old, whatever its number', async () => {
  const event = (status: string) => (n: number, at: string) =>
    `WITH e AS (INSERT INTO tinystore_order.outbox_event (event_id, type, topic, key, trace_id, payload, occurred_at)
       SELECT gen_random_uuid(), 'TRADE_PAID', 't', 'k', '', '{}', ${at} FROM generate_series(1, ${n}) RETURNING id)
     ${OUTBOX_STATE[status]?.replace('AT', at)}`;
  await plant(8, 1000, event('PENDING'));
  await plant(8, 10, event('PARKED'));
  await plant(8, 500, event('SENT'));
  await plant(6, 500, event('SENT'));
  const effect = (status: string) => (n: number, at: string) =>
    `INSERT INTO tinystore_inventory.gate_effect (kind, shop_id, sku_id, status, created_at, applied_at) SELECT 'RAISE', 'S1', 'K1', '${status}', ${at}, ${at} FROM generate_series(1, ${n})`;
  await plant(8, 12_000, effect('APPLIED'));
  await plant(8, 3, effect('PENDING'));
  await plant(6, 4, effect('APPLIED'));
  const inbox = (n: number, at: string) =>
    `INSERT INTO tinystore_inventory.inbox_event SELECT 'c', gen_random_uuid(), ${at} FROM generate_series(1, ${n})`;
  await plant(15, 20, inbox);
  await plant(13, 30, inbox);

  const config = testConfig();
  expect(await cleanUp({ cleanUpPool: database.pool, config })).toEqual({
    outboxEvents: 500,
    gateEffects: 12_000,
    inboxEvents: 20,
    deadLetters: 0,
    carts: 0,
    jobRuns: 0,
    scanned: 12_520,
    changed: 12_520,
    failed: 0,
  });
  expect(await count(`tinystore_order.outbox WHERE status = 'PENDING'`)).toBe(1000);
  expect(await count(`tinystore_order.outbox WHERE status = 'PARKED'`)).toBe(10);
  expect(await count(`tinystore_order.outbox WHERE status = 'SENT'`)).toBe(500);
  expect(await count('tinystore_inventory.gate_effect')).toBe(7);
  expect(await count('tinystore_inventory.inbox_event')).toBe(30);
});

test('A kept cart goes when the cookie that opens it is gone, and never while an order of it may still be paid', async () => {
  const { rows } = await database.pool.query<{ id: string }>(
    'INSERT INTO tinystore_order.buyer (id) VALUES (gen_random_uuid()) RETURNING id',
  );
  const buyer = rows[0]?.id;
  const carts = [364, 401, 402].map((days) => ({ days, id: randomUUID() }));
  for (const { id, days } of carts)
    await database.pool.query(
      `INSERT INTO tinystore_order.cart (id, buyer_id, created_at) VALUES ($1, $2, ops.clock_now() - make_interval(days => $3))`,
      [id, buyer, days],
    );
  await database.pool.query(
    `INSERT INTO tinystore_order.trade (id, buyer_id, idempotency_key, fingerprint, cart_id, currency, total_minor, pay_until)
     VALUES (gen_random_uuid(), $1, 'key-of-the-cart', 'f', $2, 'EUR', 1, ops.clock_now())`,
    [buyer, carts[2]?.id],
  );
  expect(await cleanUp({ cleanUpPool: database.pool, config: testConfig() })).toMatchObject({ carts: 1 });
  const { rows: left } = await database.pool.query<{ id: string }>(
    'SELECT id FROM tinystore_order.cart ORDER BY created_at DESC',
  );
  expect(left.map((row) => row.id)).toEqual([carts[0]?.id, carts[2]?.id]);
});
