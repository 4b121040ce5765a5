/**
 * Suite `order`: durable orders per second over HTTP at 32 connections, with relay and ledger keeping up, and the times
 * from order to PRE_DEDUCTED and from payment to CONFIRMED. Load comes from a process of its own on the same
 * machine. Three runs; the median counts. A run with a violated invariant has no figure.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createPool } from '@holdfast/core/platform';
import { checkInvariants } from '@holdfast/core/testing';
import { payOrders } from './load/pay-orders.ts';
import type { LoadResult, LoadTask } from './load/place-orders.ts';
import { cpuSeconds } from './measure/cpu-seconds.ts';
import { findProcesses } from './measure/find-processes.ts';
import { median, percentile } from './measure/percentile.ts';
import { waitUntilRecorded } from './measure/wait-until-recorded.ts';
import { benchEnvironment } from './prepare/bench-environment.ts';
import { stockShelf } from './prepare/stock-shelf.ts';

const FLOOR_ORDERS_A_SECOND = 1000;
/** The ledger keeps up when it has recorded the last order this soon after it was placed. */
const BACKLOG_LIMIT_S = 3;
const CONNECTIONS = 32;
/** The virtual machines of Kafka and Node compile what is hot first. */
const WARM_UP_S = 20;
const RUN_S = 10;
const RUNS = 3;

const env = benchEnvironment();
const pool = createPool({ url: env.databaseUrl, name: 'bench', max: 2, statementTimeoutMs: 60_000 });
const shelf = await stockShelf(pool, env.redisUrl);
const processes = findProcesses(env);

const rates: number[] = [];
const failures: string[] = [];
let sample: LoadResult['sample'] = [];
await load(WARM_UP_S);
for (let run = 1; run <= RUNS; run++) {
  const since = await clockNow();
  const before = cpuBy();
  const result = await load(RUN_S);
  const backlogS = await waitUntilRecorded(pool);
  const after = cpuBy();
  const durable = await countOrders(since);
  const recorded = await recordTimes(since);
  const rate = durable / result.seconds;
  rates.push(rate);
  sample = result.sample;
  if (durable < result.placed) failures.push(`run ${run}: ${result.placed} orders answered, ${durable} durable`);
  if (backlogS > BACKLOG_LIMIT_S)
    failures.push(`run ${run}: the ledger was ${backlogS.toFixed(1)} s behind at the end`);
  console.log(
    `run ${run}: ${rate.toFixed(0)} durable orders/s, refused ${JSON.stringify(result.refused)}, backlog at end ${backlogS.toFixed(1)} s`,
  );
  console.log(`  answer        p50 ${ms(result.latenciesMs, 0.5)}  p99 ${ms(result.latenciesMs, 0.99)}`);
  console.log(`  PRE_DEDUCTED  p50 ${ms(recorded, 0.5)}  p99 ${ms(recorded, 0.99)}`);
  const perOrder = Object.entries(after).map(
    ([name, s]) => `${name} ${(((s - (before[name] ?? 0)) / durable) * 1e6).toFixed(0)}`,
  );
  console.log(
    `  CPU us/order  ${perOrder.join('  ')}  load generator ${((result.cpuSeconds / durable) * 1e6).toFixed(0)}`,
  );
}

const confirmed = await payOrders(pool, env, sample);
console.log(`payment to CONFIRMED (${confirmed.length} paid): p50 ${ms(confirmed, 0.5)}  p99 ${ms(confirmed, 0.99)}`);
// The tables have grown from nothing within minutes, before the server has looked at them by itself.
await pool.query('ANALYZE');
for (const violation of await checkInvariants({ pool, redisUrl: env.redisUrl }))
  failures.push(`invariant: ${JSON.stringify(violation)}`);
const rate = median(rates);
console.log(
  `order: ${rate.toFixed(0)} durable orders/s at ${CONNECTIONS} connections (${rates.map((r) => r.toFixed(0)).join(', ')}), floor ${FLOOR_ORDERS_A_SECOND}`,
);
if (rate < FLOOR_ORDERS_A_SECOND)
  failures.push(`${rate.toFixed(0)} orders/s is below the floor of ${FLOOR_ORDERS_A_SECOND}`);
await pool.end();
for (const failure of failures) console.error(`FAILED ${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;

async function load(seconds: number): Promise<LoadResult> {
  const task: LoadTask = {
    baseUrl: env.baseUrl,
    cookieSecret: env.cookieSecret,
    connections: CONNECTIONS,
    seconds,
    ...shelf,
  };
  const program = join(import.meta.dirname, 'load', 'place-orders.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(task)], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as LoadResult;
}

function cpuBy(): Record<string, number> {
  return Object.fromEntries(Object.entries(processes).map(([name, pid]) => [name, cpuSeconds(pid)]));
}

async function clockNow(): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>('SELECT ops.clock_now() AS now');
  return rows[0]?.now ?? new Date(0);
}

async function countOrders(since: Date): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    'SELECT count(*) AS n FROM tinystore_order.trade WHERE created_at >= $1',
    [since],
  );
  return rows[0]?.n ?? 0;
}

/** Milliseconds from the order's commit to its ledger row, both by the database's clock; sorted. */
async function recordTimes(since: Date): Promise<number[]> {
  const { rows } = await pool.query<{ ms: number }>(
    `SELECT (extract(epoch FROM r.recorded_at - t.created_at) * 1000)::float8 AS ms
     FROM tinystore_order.trade t JOIN tinystore_inventory.inventory_reservation r ON r.trade_id = t.id
     WHERE t.created_at >= $1 ORDER BY 1`,
    [since],
  );
  return rows.map((row) => row.ms);
}

function ms(sorted: readonly number[], share: number): string {
  return `${percentile(sorted, share).toFixed(1)} ms`;
}
