import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { EVENT_SCHEMAS, type EventType, mint } from '@holdfast/core/domain';
import { receiveStock } from '@holdfast/core/ledger';
import {
  cancelOrder,
  createDemoProvider,
  receiveNotice,
  refundOrder,
  shipOrder,
  startPayment,
} from '@holdfast/core/order';
import { silentLog } from '@holdfast/core/platform';
import {
  checkInvariants,
  deliverEvents,
  openTestShop,
  PATIENT,
  setClockOffset,
  TEST_SECRETS,
  type TestShop,
  testConfig,
} from '@holdfast/core/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONSUMERS } from '../consumers/register.ts';
import { type HandDeps, openJobDeps } from '../open-job-deps.ts';
import { signForTest } from '../sign-for-test.testing.ts';
import type { JobDeps } from './job.ts';
import { PREVIEWS } from './previews.ts';
import { JOBS } from './register.ts';
import { findJob, LOOP_JOBS, previewJob, runJob } from './run-by-hand.ts';

/** A shop that every job has something to do in, eight days later. */
let shop: TestShop;
let quiet: HandDeps;
const READ_BY_SOMEBODY = (Object.keys(EVENT_SCHEMAS) as EventType[]).filter((type) => type !== 'ORDER_CREATED');
const DAYS = 24 * 3_600_000;
const by = { name: 'ada', reason: 'test' };

beforeAll(async () => {
  shop = await openTestShop('every_job', PATIENT);
  const publicUrl = await listen();
  const config = testConfig({
    PUBLIC_URL: publicUrl,
    ...PATIENT,
    DATABASE_URL: shop.databaseUrl,
    REDIS_URL: shop.server.url,
    KAFKA_BROKERS: process.env.KAFKA_BROKERS ?? '',
    KAFKA_PREFIX: `jobs-${mint<'prefix'>()}.`,
  });
  await shop.stock('K1', 100);
  await shop.stock('K2', 100);
  const [shipped, refunded] = [await place(2), await place(3)];
  for (const trade of [shipped, refunded]) await pay(trade);
  await deliver();
  for (const shopOrderId of await shopOrdersOf(shipped)) await shipOrder(tradeDeps(), { shopOrderId, by });
  const wish = { kind: 'rest', units: 'RESTOCK' } as const;
  await refundOrder(tradeDeps(), { tradeId: refunded, wish, idempotencyKey: 'refund-1', by });
  await deliver();
  await plantOldRows();
  const late = await place(1);
  await pay(late, () => cancelOrder(tradeDeps(), { tradeId: late, by: { kind: 'operator', ...by } }));
  await deliver();
  const nobodys = { intentId: mint(), attempt: 1, amountMinor: 500, currency: 'EUR' };
  await receiveNotice(payments(), signForTest({ kind: 'started', payUrl: '', ...nobodys } as never, webhookSecret));
  busy = true;
  await pay(await place(1));
  busy = false;
  await shop.stock('K3', 5);
  await shop.pool.query(`UPDATE tinystore_inventory.inventory_stock SET gate_mode = 'SWITCHING' WHERE sku_id = 'K3'`);
  // Past their time, one of them with a notice that nobody has judged; events that nobody has to read stay to be sent.
  await place(1);
  await plantNotice(await place(1));
  await deliver(READ_BY_SOMEBODY);
  await shop.gate.take([{ shopId: 'S1', skuId: 'K1', reservationId: mint<'ReservationId'>(), quantity: 4 }]);
  await shop.gatekeeper.runOnce();
  await shop.redis.incrby('inventory:total:{S1}:K2', 3);
  await shop.redis.incr('inventory:version:{S1}:K2');
  await setClockOffset(shop.pool, 8 * DAYS);
  await shop.gatekeeper.stop();
  quiet = await openJobDeps(config, silentLog, { holder: 'quiet', loops: 'wake' });
  await quiet.deps.gate.refresh();
}, 120_000);
afterAll(async () => {
  await quiet?.close();
  webhook?.close();
  await shop?.close();
});

/** Hands events on without the stream, and marks them read as the consumers would. */
async function deliver(only?: EventType[]): Promise<void> {
  await deliverEvents(shop.pool, only);
  for (const { name, types } of CONSUMERS)
    await shop.pool.query(
      `INSERT INTO tinystore_inventory.inbox_event (consumer, event_id)
       SELECT $1, e.event_id FROM tinystore_order.outbox_event e JOIN tinystore_order.outbox_sent s USING (id)
       WHERE s.partition = -1 AND e.type = ANY($2) ON CONFLICT DO NOTHING`,
      [name, types],
    );
}

const tradeDeps = () => ({ pool: shop.pool, log: silentLog, waker: { wake: () => undefined } });
const webhookSecret = TEST_SECRETS.PAYMENT_WEBHOOK_SECRET;
/** The shop's webhook, which the demo provider calls; busy while a test says so. */
let webhook: Server;
let busy = false;
const publicUrl = () => `http://127.0.0.1:${(webhook.address() as AddressInfo).port}`;
const demo = () => createDemoProvider({ pool: shop.pool, publicUrl: publicUrl(), webhookSecret });
const payments = () => ({ ...tradeDeps(), webhookSecrets: [webhookSecret], provider: demo() });
async function listen(): Promise<string> {
  webhook = createServer(async (request, response) => {
    const rawBody = await buffer(request);
    const signature = String(request.headers['payment-signature']);
    if (!busy) await receiveNotice(payments(), { rawBody, signature });
    response.writeHead(busy ? 503 : 200).end();
  }).listen(0, '127.0.0.1');
  await once(webhook, 'listening');
  return publicUrl();
}
async function place(units: number): Promise<string> {
  const placed = await shop.order([{ skuId: 'K1', quantity: units }]);
  if (placed.kind !== 'placed') throw new Error(`not placed: ${placed.code}`);
  return placed.tradeId;
}
/** @param cancel comes between the start of the payment and the money */
async function pay(tradeId: string, cancel?: () => Promise<unknown>): Promise<void> {
  await deliver();
  const { rows } = await shop.pool.query<{ buyer_id: string }>(
    'SELECT buyer_id FROM tinystore_order.trade WHERE id = $1',
    [tradeId],
  );
  const started = await startPayment(payments(), { tradeId, buyerId: rows[0]?.buyer_id ?? '' });
  if (started.kind !== 'started') throw new Error(started.code);
  await cancel?.();
  await demo().act('pay', started.intentId);
}
async function shopOrdersOf(tradeId: string): Promise<string[]> {
  const { rows } = await shop.pool.query<{ id: string }>(
    'SELECT id FROM tinystore_order.shop_order WHERE trade_id = $1',
    [tradeId],
  );
  return rows.map((row) => row.id);
}
async function plantNotice(tradeId: string): Promise<void> {
  await shop.pool.query(
    `INSERT INTO tinystore_order.payment_event (event_id, intent_ref, trade_id, kind, attempt, amount_minor, currency, payload)
     SELECT 'evt_' || id, id::text, trade_id, 'FAILED', attempt, amount_minor, currency, '{}' FROM tinystore_order.payment_intent
     WHERE trade_id = $1`,
    [tradeId],
  );
}
async function plantOldRows(): Promise<void> {
  await shop.pool.query(
    `INSERT INTO tinystore_inventory.job_run (job, worker, started_at) SELECT 'old', 'test', ops.clock_now() - interval '20 days' FROM generate_series(1, 3)`,
  );
}

/** The gate is open, no message has failed, nothing was lost on the way, no coupon waits; the second job by time finds nothing left (P25). */
const NOTHING_TO_DO = new Set([
  'gate.watch',
  'stream.retry',
  'order.audit',
  'order.time-out',
  'payment.compare',
  'promotion.time-out',
]);

const applyEffects = () => withDeps('gate.effects', (deps) => runJob(findJob(JOBS, 'gate.effects'), deps, 'test'));
const BEFORE: Record<string, () => Promise<unknown>> = {
  'gate.effects': () =>
    receiveStock(shop.pool, { shopId: 'S1', skuId: 'K2', quantity: 1, operationId: mint(), actor: 'test' }),
  // P28: first the gate has to know that the order has ended.
  'payment.late-money': () => deliver().then(applyEffects),
};

/** Every row of every table, and every key of the gate. */
async function everything(): Promise<unknown> {
  const { rows: tables } = await shop.pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname IN ('tinystore_order', 'tinystore_inventory', 'ops', 'demo_provider') ORDER BY 1`,
  );
  const found: Record<string, unknown> = {};
  for (const { name } of tables)
    found[name] = (
      await shop.pool.query(`SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) AS all FROM ${name} t`)
    ).rows;
  for (const key of (await shop.redis.keys('inventory:*')).sort())
    found[key] =
      (await shop.redis.type(key)) === 'zset' ? await shop.redis.zrange(key, '0', '-1') : await shop.redis.get(key);
  return found;
}

/** With loops of its own for the jobs that are their work, and only for as long as it takes. */
async function withDeps<T>(id: string, work: (deps: JobDeps) => Promise<T>): Promise<T> {
  if (!LOOP_JOBS.has(id)) return work(quiet.deps);
  const working = await openJobDeps(quiet.deps.config, silentLog, { holder: 'by hand', loops: 'start' });
  return work(working.deps).finally(working.close);
}

test('Every job has a dry run', () => {
  expect(JOBS.map((job) => job.id).filter((id) => !(id in PREVIEWS))).toEqual([]);
});

test.each(JOBS.map((job) => [job.id, job] as const))(
  'C16 P35 – %s says before what it will do and changes nothing by that; run twice at once it does it once',
  async (id, job) => {
    await BEFORE[id]?.();
    const before = await everything();
    const preview = await previewJob(job, quiet.deps);
    expect(await everything()).toEqual(before);

    const runs = await withDeps(id, (deps) => Promise.all([runJob(job, deps, 'one'), runJob(job, deps, 'two')]));
    for (const run of runs) {
      expect(run).toMatchObject({ job: id, mode: 'run', failed: 0 });
      expect(run.detail).toMatchObject({ scanned: expect.any(Number), changed: expect.any(Number), failed: 0 });
    }
    // Late money takes several runs: the first asks for the refund, a later one sees that it is back.
    const dealtWith = runs.map((run) => (id === 'payment.late-money' ? run.scanned : run.changed));
    expect(dealtWith.reduce((sum, n) => sum + n, 0)).toBeGreaterThanOrEqual(preview.changed);
    expect(Math.max(...dealtWith)).toBeLessThanOrEqual(preview.changed);
    expect(await previewJob(job, quiet.deps)).toMatchObject({ changed: 0 });
    if (!NOTHING_TO_DO.has(id)) expect({ id, changed: preview.changed }).not.toEqual({ id, changed: 0 });
  },
  60_000,
);

test('After all jobs both books agree and nothing is left over', async () => {
  await deliver();
  await applyEffects();
  expect(await checkInvariants({ pool: shop.pool, gate: quiet.deps.gate })).toEqual([]);
});
