/**
 * Database sessions are ended at random under load, and commits take longer than they may: no process stays down, and
 * whoever got an error learns the true result by the same key. Registers the tests of C61.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mint } from '../domain/index.ts';
import { createPlaceOrderDeps, type PlaceOrderDeps, placeOrder } from '../order/index.ts';
import { createPool, isDatabaseError } from '../platform/index.ts';
import { checkInvariants, waitUntilQuiet } from './invariants.ts';
import { type ProductProcess, startProcess } from './product-process.ts';
import { TEST_PRICE_MINOR } from './put-on-sale.ts';
import { openTestShop, type TestShop } from './test-shop.ts';
import { until } from './until.ts';

export interface BrokenSessions {
  readonly seconds: number;
  readonly ordersASecond: number;
}
interface Shopper {
  readonly key: string;
  readonly buyerId: string;
  answer?: { readonly tradeId: string } | undefined;
}
type Web = PlaceOrderDeps;
const LINE = { shopId: 'S1', skuId: 'K1', quantity: 1, unitPriceMinor: TEST_PRICE_MINOR };
const UNITS = 10_000;
const DRAIN_LIMIT_MS = 90_000;
const CUT_EVERY_MS = 150;
const ASK_AT_ONCE = 32;

export function testBrokenSessions({ seconds, ordersASecond }: BrokenSessions): void {
  let shop: TestShop;
  let worker: ProductProcess;
  /** Takes orders over connections with the limits of the product. */
  let web: Web;
  /** In another database: it is not cut off with the others. */
  let outside: pg.Client;
  beforeEach(async () => {
    shop = await openTestShop('broken_sessions');
    await shop.stock('K1', UNITS);
    await shop.gatekeeper.stop();
    web = openWeb(shop);
    worker = await startProcess('worker', {
      DATABASE_URL: shop.databaseUrl,
      REDIS_URL: shop.server.url,
      KAFKA_BROKERS: process.env.KAFKA_BROKERS ?? '',
      KAFKA_PREFIX: `sessions-${mint<'prefix'>()}.`,
      INVENTORY_UNCOMMIT_CLEANUP_PROOF_AGE: 'PT10S',
    });
    const url = new URL(shop.databaseUrl);
    url.pathname = '/postgres';
    outside = new pg.Client({ connectionString: url.href });
    await outside.connect();
  });
  afterEach(async () => {
    await outside.end();
    await worker.end('SIGTERM');
    await web.pool.end();
    await shop.close();
  });

  test(
    `C61 – Sessions that end at random for ${seconds} s, and then all of them, never stop the shop for long`,
    async () => {
      const shoppers = await shopFor(web, ordersASecond, async () => {
        for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(CUT_EVERY_MS))
          await endSessions(outside, shop, 2);
        await endSessions(outside, shop, 1000);
      });
      await expectTrueResults({ shop, web, worker }, shoppers);
    },
    (seconds + 300) * 1000,
  );

  test(
    'C61 – Commits that outlast their limit: whoever got an error learns the true result by the same key',
    async () => {
      await slowDownCommits(shop);
      const shoppers = await shopFor(web, ordersASecond, () => sleep(Math.min(seconds, 20) * 1000));
      // Replaced, not dropped: that would wait for the commits still under way.
      await shop.pool.query(
        `CREATE OR REPLACE FUNCTION slow_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$`,
      );
      await expectTrueResults({ shop, web, worker }, shoppers);
    },
    (seconds + 300) * 1000,
  );
}

async function endSessions(outside: pg.Client, shop: TestShop, most: number): Promise<void> {
  await outside.query(
    'SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity WHERE datname = $1 ORDER BY random() LIMIT $2) s',
    [new URL(shop.databaseUrl).pathname.slice(1), most],
  );
}

/** Of the orders that commit together at most one is slow; the trigger fires when their transaction commits. */
async function slowDownCommits({ pool }: TestShop): Promise<void> {
  await pool.query(
    `CREATE FUNCTION slow_commit() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN
       IF random() < 0.1 AND current_setting('test.slept_in', true) IS DISTINCT FROM txid_current()::text THEN
         PERFORM set_config('test.slept_in', txid_current()::text, false), pg_sleep(5);
       END IF;
       RETURN NULL;
     END $$`,
  );
  await pool.query(
    `CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON tinystore_order.trade
     DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slow_commit()`,
  );
}

function openWeb(shop: TestShop): Web {
  const max = shop.config.stores.DATABASE_HOT_CONNECTIONS;
  return createPlaceOrderDeps({ ...shop.desk, pool: createPool({ url: shop.databaseUrl, name: 'web', max }) });
}

/** Orders at an even pace until `trouble` is over. */
async function shopFor(web: Web, aSecond: number, trouble: () => Promise<unknown>): Promise<Shopper[]> {
  const shoppers: Shopper[] = [];
  const requests: Promise<void>[] = [];
  let over = false;
  const pace = (async () => {
    for (; !over; await sleep(1000 / aSecond)) {
      const shopper = { key: mint<'key'>(), buyerId: mint<'BuyerId'>() };
      shoppers.push(shopper);
      requests.push(ask(web, shopper));
    }
  })();
  await trouble();
  over = true;
  await pace;
  await Promise.all(requests);
  return shoppers;
}

async function ask(web: Web, shopper: Shopper): Promise<void> {
  const { key, buyerId } = shopper;
  const result = await placeOrder(web, { key, buyerId, traceId: 'test', lines: [LINE] }).catch((error: unknown) => {
    // The edge says BUSY for it.
    if (!isDatabaseError(error)) throw error;
  });
  if (result?.kind !== 'placed') return;
  if (shopper.answer && shopper.answer.tradeId !== result.tradeId) throw new Error('one key, two orders');
  shopper.answer = { tradeId: result.tradeId };
}

/** Everybody without an answer asks again, and everybody with one too. */
async function expectTrueResults(
  { shop, web, worker }: { readonly shop: TestShop; readonly web: Web; readonly worker: ProductProcess },
  shoppers: readonly Shopper[],
): Promise<void> {
  const unanswered = () => shoppers.filter(({ answer }) => !answer);
  await until(
    'everybody has an order',
    async () => {
      // Side by side, as they would: while old commits still hold locks each waits for its own time limit.
      const waiting = unanswered();
      for (let from = 0; from < waiting.length; from += ASK_AT_ONCE)
        await Promise.all(waiting.slice(from, from + ASK_AT_ONCE).map((shopper) => ask(web, shopper)));
      return unanswered().length === 0;
    },
    DRAIN_LIMIT_MS,
  );
  for (const shopper of shoppers) await ask(web, shopper);
  await waitUntilQuiet({ pool: shop.pool }, { limitMs: DRAIN_LIMIT_MS });
  expect(worker.ended()).toBeNull();
  const { rows } = await shop.pool.query<{ id: string }>('SELECT id FROM tinystore_order.trade ORDER BY id');
  expect(rows.map((row) => row.id)).toEqual(shoppers.map(({ answer }) => answer?.tradeId).toSorted());
  const { rows: letters } = await shop.pool.query(
    'SELECT type, reason FROM tinystore_inventory.dead_letter WHERE status <> $1',
    ['RESOLVED'],
  );
  expect(letters).toEqual([]);
  // A hold without an order waits for the ghost sweep.
  const check = () => checkInvariants({ pool: shop.pool, redisUrl: shop.server.url });
  await until('ghost holds are freed', async () => (await check()).length === 0, DRAIN_LIMIT_MS).catch(() => false);
  expect(await check()).toEqual([]);
}
