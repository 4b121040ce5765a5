import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mint } from '../domain/index.ts';
import { createPool, type Pool, silentLog } from '../platform/index.ts';
import { checkShop } from '../testing/check-shop.ts';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';
import { until } from '../testing/until.ts';
import { cancelOrder } from './cancel-order.ts';
import { createPlaceOrderDeps } from './order-desk.ts';
import { type PlaceOrderResult, placeOrder } from './place-order.ts';

const LIMIT_MS = 300;
const ORDERS = 200;
const BLOCKED_MS = 3000;

let shop: TestShop;
let small: Pool;
beforeAll(async () => {
  shop = await openTestShop('stalled', { ORDER_REQUEST_LIMIT_MS: '20000', GATE_COMMAND_TIMEOUT_MS: '10000' });
  small = createPool({
    url: shop.databaseUrl,
    name: 'stalled',
    max: 3,
    statementTimeoutMs: LIMIT_MS,
    idleInTransactionMs: LIMIT_MS,
  });
});
afterAll(async () => {
  await small?.end();
  await shop?.close();
});

/** Once a statement, so that a batch of many orders waits as long as one of a single order. */
async function plantPauses(): Promise<void> {
  await shop.pool.query(
    `CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(random() * 0.6); RETURN NULL; END $$`,
  );
  await shop.pool.query(
    'CREATE TRIGGER pauses BEFORE INSERT ON tinystore_order.trade FOR EACH STATEMENT EXECUTE FUNCTION pause()',
  );
}

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

const numbers = async () =>
  (
    await shop.pool.query<{ trades: number; intents: number; reserves: number; unpaid: number }>(
      `SELECT (SELECT count(*) FROM tinystore_order.trade) AS trades, (SELECT count(*) FROM tinystore_order.payment_intent) AS intents,
         (SELECT count(DISTINCT payload->>'tradeId') FROM tinystore_order.outbox_event WHERE type = 'INVENTORY_RESERVE_DB') AS reserves,
         (SELECT count(*) FROM tinystore_order.trade WHERE status = 'UNPAID') AS unpaid`,
    )
  ).rows[0];

test('C36 – Transactions that pause at random and an event loop that stands still leave no half order', async () => {
  await shop.stock('K1', ORDERS);
  await plantPauses();
  const desk = createPlaceOrderDeps({ ...shop.desk, pool: small });
  const trades = { pool: small, log: silentLog, waker: { wake: () => undefined } };
  const place = async (_: unknown, index: number): Promise<PlaceOrderResult> => {
    const lines = [{ shopId: 'S1', skuId: 'K1', quantity: 1, unitPriceMinor: 1999 }];
    const buyerId = mint<'BuyerId'>();
    const placed = await placeOrder(desk, { key: mint<'key'>(), buyerId, traceId: 'stalled', lines });
    // Every fifth buyer thinks again: a transaction of several statements.
    if (placed.kind === 'placed' && index % 5 === 0)
      await cancelOrder(trades, { tradeId: placed.tradeId, by: { kind: 'buyer', buyerId } });
    return placed;
  };
  const asked = Array.from({ length: ORDERS }, place);
  await sleep(50);
  block(BLOCKED_MS);
  const answers = await Promise.allSettled(asked);

  await shop.pool.query('DROP TRIGGER pauses ON tinystore_order.trade');
  const placed = answers.filter((answer) => answer.status === 'fulfilled' && answer.value.kind === 'placed');
  expect(placed.length).toBeGreaterThan(0);
  const found = await numbers();
  expect(found?.trades).toBeGreaterThanOrEqual(placed.length);
  expect(found).toMatchObject({ intents: found?.trades, reserves: found?.trades });
  await until('no session stands idle in a transaction', async () => {
    const { rowCount } = await shop.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    );
    return rowCount === 0;
  });
  // Whatever a lost answer left at the gate is given back by the sweep; here nobody died, so at most that.
  const ghosts = (await checkShop(shop)).filter(({ detail }) => !detail.includes('JUST_TAKEN'));
  expect(ghosts).toEqual([]);
}, 120_000);
