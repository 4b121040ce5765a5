/**
 * PostgreSQL, Redis or Kafka is killed under load and comes back: nothing is lost, nothing is a dead letter by it, and
 * all is drained within a minute. Registers one test for each server.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { killServer, startServer } from '../../../../stack/services/control-server.ts';
import { mint } from '../domain/index.ts';
import { checkInvariants, waitUntilQuiet } from './invariants.ts';
import { type Answer, orderOnce, startOrders } from './order-load.ts';
import { type ProductProcess, startProcess } from './product-process.ts';
import { openTestShop, type TestShop } from './test-shop.ts';
import { until } from './until.ts';

const DRAIN_LIMIT_MS = 60_000;
const ORDERS_A_SECOND = 20;
const UNITS = 100_000;
const REFUSED_CLEARLY = /^(BUSY|GATE_CLOSED|OUTCOME_UNKNOWN)$/;

export function testOutages(seconds: number): void {
  let shop: TestShop;
  let worker: ProductProcess;
  beforeEach(async () => {
    shop = await openTestShop('outage');
    await shop.stock('K1', UNITS);
    await shop.gatekeeper.stop();
    worker = await startProcess('worker', {
      DATABASE_URL: shop.databaseUrl,
      REDIS_URL: shop.server.url,
      KAFKA_BROKERS: process.env.KAFKA_BROKERS ?? '',
      KAFKA_PREFIX: `outage-${mint<'prefix'>()}.`,
      INVENTORY_UNCOMMIT_CLEANUP_PROOF_AGE: 'PT10S',
    });
  });
  afterEach(async () => {
    await worker.end('SIGTERM');
    await shop.close();
  });

  test.each([
    ['PostgreSQL', 'postgres', REFUSED_CLEARLY],
    ['Redis', 'redis', REFUSED_CLEARLY],
    ['Kafka', 'kafka', /^placed$/],
  ] as const)(
    `%s is away for ${seconds} s under load: clear answers, nothing lost, nothing given up, drained within a minute`,
    async (_, name, wanted) => {
      const orders = startOrders(shop, 'K1', ORDERS_A_SECOND);
      await until('orders are recorded', async () => (await recorded(shop)) >= 10);
      const { during, all } = await outage(shop, name, seconds, orders);
      await waitUntilQuiet({ pool: shop.pool }, { limitMs: DRAIN_LIMIT_MS });
      expect(during.length).toBeGreaterThan(0);
      expect(during.map((a) => a.outcome).filter((outcome) => !wanted.test(outcome))).toEqual([]);
      expect(all.map((a) => a.outcome).filter((outcome) => outcome.startsWith('thrown'))).toEqual([]);
      const { rows: letters } = await shop.pool.query('SELECT type, reason FROM tinystore_inventory.dead_letter');
      expect(letters).toEqual([]);
      expect(worker.ended()).toBeNull();
      const acknowledged = all.flatMap((a) => a.tradeId ?? []);
      // An order without an answer may have left a hold; the ghost sweep frees it after its proof age.
      const check = () => checkInvariants({ pool: shop.pool, redisUrl: shop.server.url, acknowledged });
      await until('ghost holds are freed', async () => (await check()).length === 0, DRAIN_LIMIT_MS).catch(() => false);
      expect(await check()).toEqual([]);
    },
    (seconds + 240) * 1000,
  );
}

async function recorded(shop: TestShop): Promise<number> {
  const { rowCount } = await shop.pool.query('SELECT 1 FROM tinystore_inventory.inventory_reservation LIMIT 10');
  return rowCount ?? 0;
}

/** Returns the answers of orders that began and ended while the server was away, and those of all. */
async function outage(
  shop: TestShop,
  name: 'postgres' | 'redis' | 'kafka',
  seconds: number,
  orders: ReturnType<typeof startOrders>,
): Promise<{ during: Answer[]; all: Answer[] }> {
  const stack = process.env.HOLDFAST_STACK_DIR ?? '';
  await (name === 'redis' ? shop.server.kill() : killServer(stack, name));
  const from = performance.now();
  await sleep(seconds * 1000);
  const to = performance.now();
  await (name === 'redis' ? shop.server.start('kept') : startServer(stack, name, 'kept'));
  const accepted = async () => (await orderOnce(shop, 'K1')).outcome === 'placed';
  await until('orders are accepted again', accepted, DRAIN_LIMIT_MS);
  const all = await orders.end();
  return { all, during: all.filter((a) => a.startedAt > from && a.endedAt < to) };
}
