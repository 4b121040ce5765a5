/**
 * PostgreSQL, Redis or Kafka is killed under load and comes back: nothing is lost, nothing is a dead letter by it, and
 * all is drained within a minute. Registers one test for each server.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { killServer, startServer } from '../../../../stack/services/control-server.ts';
import { mint } from '../domain/index.ts';
import { isDatabaseError } from '../platform/index.ts';
import { checkInvariants, waitUntilQuiet } from './invariants.ts';
import { type ProductProcess, startProcess } from './product-process.ts';
import { openTestShop, type TestShop } from './test-shop.ts';
import { until } from './until.ts';

type ServerName = 'postgres' | 'redis' | 'kafka';
const DRAIN_LIMIT_MS = 60_000;
const ORDERS_A_SECOND = 20;
const UNITS = 100_000;

interface Answer {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: string;
  readonly tradeId?: string;
}

async function orderOnce(shop: TestShop): Promise<Answer> {
  const startedAt = performance.now();
  const { outcome, tradeId } = await shop.order([{ skuId: 'K1', quantity: 1 }]).then(
    (result) =>
      result.kind === 'placed' ? { outcome: 'placed', tradeId: result.tradeId } : { outcome: result.code, tradeId: '' },
    // The edge says BUSY for these (P33).
    (error: unknown) => ({ outcome: isDatabaseError(error) ? 'BUSY' : `thrown ${String(error)}`, tradeId: '' }),
  );
  return { startedAt, endedAt: performance.now(), outcome, ...(tradeId && { tradeId }) };
}
/** Orders come in at an even pace, whatever becomes of those before. */
async function load(shop: TestShop, stopping: () => boolean): Promise<Answer[]> {
  const orders: Promise<Answer>[] = [];
  while (!stopping()) {
    orders.push(orderOnce(shop));
    await sleep(1000 / ORDERS_A_SECOND);
  }
  return Promise.all(orders);
}

interface Outage {
  /** Answers to orders that came and were answered while the server was away. */
  readonly during: readonly string[];
  readonly all: readonly Answer[];
}
async function goThrough(
  shop: TestShop,
  server: { kill(): Promise<void>; start(): Promise<void> },
  seconds: number,
): Promise<Outage> {
  let done = false;
  const answers = load(shop, () => done);
  await until('orders are recorded', async () => {
    const { rows } = await shop.pool.query('SELECT 1 FROM tinystore_inventory.inventory_reservation LIMIT 10');
    return rows.length === 10;
  });
  await server.kill();
  const awayFrom = performance.now();
  await sleep(seconds * 1000);
  const awayUntil = performance.now();
  await server.start();
  await until('orders are accepted again', async () => (await orderOnce(shop)).outcome === 'placed', DRAIN_LIMIT_MS);
  done = true;
  const all = await answers;
  await waitUntilQuiet({ pool: shop.pool }, { limitMs: DRAIN_LIMIT_MS });
  const during = all.filter((a) => a.startedAt > awayFrom && a.endedAt < awayUntil).map((a) => a.outcome);
  return { during, all };
}

export function testOutages(seconds: number): void {
  const dir = process.env.HOLDFAST_STACK_DIR ?? '';
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
    });
  });
  afterEach(async () => {
    await worker.end('SIGTERM');
    await shop.close();
  });
  const servers: Record<ServerName, { kill(): Promise<void>; start(): Promise<void> }> = {
    postgres: { kill: () => killServer(dir, 'postgres'), start: () => startServer(dir, 'postgres', 'kept') },
    redis: { kill: () => shop.server.kill(), start: () => shop.server.start('kept') },
    kafka: { kill: () => killServer(dir, 'kafka'), start: () => startServer(dir, 'kafka', 'kept') },
  };

  test.each([
    ['PostgreSQL', 'postgres', /^(BUSY|GATE_CLOSED|OUTCOME_UNKNOWN)$/],
    ['Redis', 'redis', /^(BUSY|GATE_CLOSED|OUTCOME_UNKNOWN)$/],
    ['Kafka', 'kafka', /^placed$/],
  ] as const)(
    `%s is away for ${seconds} s under load: clear answers, nothing lost, nothing given up, drained within a minute`,
    async (_, name, wanted) => {
      const { during, all } = await goThrough(shop, servers[name], seconds);
      expect(during.length).toBeGreaterThan(0);
      expect(during.filter((outcome) => !wanted.test(outcome))).toEqual([]);
      expect(all.map((a) => a.outcome).filter((outcome) => outcome.startsWith('thrown'))).toEqual([]);
      const { rows: letters } = await shop.pool.query('SELECT type, reason FROM tinystore_inventory.dead_letter');
      expect(letters).toEqual([]);
      expect(worker.ended()).toBeNull();
      const acknowledged = all.flatMap((a) => a.tradeId ?? []);
      // An order without an answer may have left a hold that the ghost sweep frees after its proof age.
      const tolerate = name === 'kafka' ? [] : (['JUST_TAKEN'] as const);
      expect(await checkInvariants({ pool: shop.pool, redisUrl: shop.server.url, acknowledged, tolerate })).toEqual([]);
    },
    (seconds + 240) * 1000,
  );
}
