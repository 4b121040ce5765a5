/**
 * Suite `relay`: how fast a backlog of the outbox drains to Kafka, and how long an event waits at 200 orders/s. Both
 * with the whole product running, consumers included. Three drains; the median counts.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { mint, ORDER_TOPIC } from '@holdfast/core/domain';
import { createPool } from '@holdfast/core/platform';
import { checkInvariants } from '@holdfast/core/testing';
import type { LoadTask } from './load/place-orders.ts';
import { median, percentile } from './measure/percentile.ts';
import { waitUntilRecorded } from './measure/wait-until-recorded.ts';
import { benchEnvironment } from './prepare/bench-environment.ts';
import { stockShelf } from './prepare/stock-shelf.ts';

const FLOOR_EVENTS_A_SECOND = 12_000;
const LIMIT_LAG_P99_MS = 50;
const BACKLOG = 100_000;
const DRAINS = 3;
const ORDERS_A_SECOND = 200;
const WARM_UP_S = 10;
const RUN_S = 20;

const env = benchEnvironment();
const pool = createPool({ url: env.databaseUrl, name: 'bench', max: 2, statementTimeoutMs: 120_000 });
const shelf = await stockShelf(pool, env.redisUrl);
const failures: string[] = [];

await load(WARM_UP_S);
const since = await clockNow();
await load(RUN_S);
await waitUntilRecorded(pool);
const lags = await readLags(since);
const p99 = percentile(lags, 0.99);
console.log(
  `lag at ${ORDERS_A_SECOND} orders/s, begin of the order's transaction to the mark after the broker's ack: ` +
    `${lags.length} events, p50 ${percentile(lags, 0.5).toFixed(1)} ms  p99 ${p99.toFixed(1)} ms, limit ${LIMIT_LAG_P99_MS} ms`,
);
if (p99 > LIMIT_LAG_P99_MS) failures.push(`lag p99 of ${p99.toFixed(1)} ms is above ${LIMIT_LAG_P99_MS} ms`);

await drain();
const rates: number[] = [];
for (let run = 1; run <= DRAINS; run++) rates.push(await drain());
const rate = median(rates);
console.log(
  `relay: ${rate.toFixed(0)} events/s drained (${rates.map((r) => r.toFixed(0)).join(', ')}), floor ${FLOOR_EVENTS_A_SECOND}`,
);
if (rate < FLOOR_EVENTS_A_SECOND)
  failures.push(`${rate.toFixed(0)} events/s is below the floor of ${FLOOR_EVENTS_A_SECOND}`);
await pool.query('ANALYZE');
for (const violation of await checkInvariants({ pool, redisUrl: env.redisUrl }))
  failures.push(`invariant: ${JSON.stringify(violation)}`);
await pool.end();
for (const failure of failures) console.error(`FAILED ${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;

async function load(seconds: number): Promise<void> {
  const task: LoadTask = {
    baseUrl: env.baseUrl,
    cookieSecret: env.cookieSecret,
    connections: 32,
    ordersASecond: ORDERS_A_SECOND,
    seconds,
    ...shelf,
  };
  const program = join(import.meta.dirname, 'load', 'place-orders.ts');
  await promisify(execFile)(process.execPath, [program, JSON.stringify(task)], { maxBuffer: 64 * 1024 * 1024 });
}

/** A backlog that becomes visible at once, as after an outage of the broker. Events a second until the last is sent. */
async function drain(): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `WITH said AS (
       INSERT INTO tinystore_order.outbox_event (event_id, type, topic, key, trace_id, payload)
       SELECT gen_random_uuid(), 'TRADE_CREATED', $2, t.id, 'bench', jsonb_build_object(
         'tradeId', t.id, 'buyerId', $3::text, 'payUntil', '2026-01-01T00:00:00Z', 'totalMinor', 1999, 'currency', 'EUR')
       FROM (SELECT gen_random_uuid()::text AS id FROM generate_series(1, $1)) t
       RETURNING id
     ), pending AS (INSERT INTO tinystore_order.outbox_pending (id) SELECT id FROM said RETURNING 1)
     SELECT count(*) AS n FROM pending`,
    [BACKLOG, ORDER_TOPIC, mint<'BuyerId'>()],
  );
  const visible = performance.now();
  for (;;) {
    const { rows: left } = await pool.query(
      `SELECT 1 FROM tinystore_order.outbox_pending WHERE status = 'PENDING' LIMIT 1`,
    );
    if (left.length === 0) break;
    await sleep(20);
  }
  if (rows[0]?.n !== BACKLOG) throw new Error('the backlog was not written');
  return BACKLOG / ((performance.now() - visible) / 1000);
}

async function clockNow(): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>('SELECT ops.clock_now() AS now');
  return rows[0]?.now ?? new Date(0);
}

/** Milliseconds, sorted. */
async function readLags(from: Date): Promise<number[]> {
  const { rows } = await pool.query<{ ms: number }>(
    `SELECT (extract(epoch FROM s.sent_at - e.occurred_at) * 1000)::float8 AS ms
     FROM tinystore_order.outbox_event e JOIN tinystore_order.outbox_sent s USING (id)
     WHERE e.occurred_at >= $1 ORDER BY 1`,
    [from],
  );
  return rows.map((row) => row.ms);
}
