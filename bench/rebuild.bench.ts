/**
 * Suite `rebuild`: the running product loses its gate of 100 000 SKUs with 100 000 live holds while buyers order over
 * HTTP. Seconds from the closing (the epoch is raised) to the gate open again; no order accepted in between, none of
 * the acknowledged ones lost. Two gates with their old data still in place, one of an emptied server; the median counts.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readEpoch, reportClosed } from '@holdfast/core/gate';
import { createPool, openRedis } from '@holdfast/core/platform';
import { checkInvariants, until, waitUntilQuiet } from '@holdfast/core/testing';
import type { LoadResult, LoadTask } from './load/place-orders.ts';
import { median } from './measure/percentile.ts';
import { type Closing, watchClosing } from './measure/watch-closing.ts';
import { writePlainly } from './measure/write-plainly.ts';
import { benchEnvironment } from './prepare/bench-environment.ts';
import { fillLedger } from './prepare/fill-ledger.ts';
import { stockShelf } from './prepare/stock-shelf.ts';

const LIMIT_S = 5;
const SKUS = 100_000;
const ORDERS_A_SECOND = 200;
const LOAD_S = 15;
const LOST_AFTER_MS = 3000;
/** Not 4 and 11: the filled rows have no orders and no audit entries. */
const INVARIANTS = [1, 2, 3, 5, 6, 7, 8, 9, 10];

const env = benchEnvironment();
const pool = createPool({ url: env.databaseUrl, name: 'bench', max: 3, statementTimeoutMs: 300_000 });
const redis = openRedis(env.redisUrl, 'bench');
const failures: string[] = [];

await fillLedger(pool, { shops: 20, skus: SKUS, rowsASku: 2, liveASku: 1 });
const shelf = await stockShelf(pool, env.redisUrl);
await loseAndWatch('reported');
await load(LOST_AFTER_MS / 1000);

const closings: Closing[] = [];
const acknowledged: string[] = [];
for (const how of ['reported', 'emptied', 'reported'] as const) {
  const loading = load(LOAD_S);
  await sleep(LOST_AFTER_MS);
  const closing = await loseAndWatch(how);
  const { tradeIds, refused } = await loading;
  acknowledged.push(...tradeIds);
  closings.push(closing);
  const accepted = await acceptedWhileClosed(closing);
  if (accepted > 0) failures.push(`${how}: ${accepted} orders accepted while the gate was closed`);
  console.log(
    `gate ${how}: ${closing.seconds.toFixed(2)} s from closing to open; ${tradeIds.length} orders acknowledged around it, ` +
      `${accepted} of them while it was closed; refused ${JSON.stringify(refused)}`,
  );
}
const seconds = median(closings.map((closing) => closing.seconds));
const plain = await writePlainly(pool);
console.log(
  `rebuild: ${seconds.toFixed(2)} s for ${SKUS} SKUs with as many holds, limit ${LIMIT_S} s; the same keys written plainly ${plain.toFixed(2)} s, ratio ${(plain / seconds).toFixed(2)}`,
);
if (seconds > LIMIT_S) failures.push(`${seconds.toFixed(2)} s is above the limit of ${LIMIT_S} s`);

await waitUntilQuiet({ pool }, { limitMs: 120_000 });
await pool.query('ANALYZE');
const violations = await checkInvariants({ pool, redisUrl: env.redisUrl, acknowledged, only: INVARIANTS });
for (const violation of violations) failures.push(`invariant: ${JSON.stringify(violation)}`);
console.log(`${acknowledged.length} acknowledged orders are durable; ${violations.length} invariants broken`);
redis.disconnect();
await pool.end();
for (const failure of failures) console.error(`FAILED ${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;

/** As web does when it meets another server, or as a careless person does. */
async function loseAndWatch(how: 'reported' | 'emptied'): Promise<Closing> {
  const { epoch } = await until('the gate is open', async () => {
    const row = await readEpoch(pool);
    return row.open && row;
  });
  const watching = watchClosing(pool, epoch);
  if (how === 'reported') await reportClosed(pool, epoch, 'BENCH');
  else await redis.flushall();
  return watching;
}

async function acceptedWhileClosed({ closedAt, openedAt }: Closing): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    'SELECT count(*) AS n FROM tinystore_order.trade WHERE created_at BETWEEN $1 AND $2',
    [closedAt, openedAt],
  );
  return rows[0]?.n ?? 0;
}

async function load(seconds: number): Promise<LoadResult> {
  const task: LoadTask = {
    ...{ baseUrl: env.baseUrl, cookieSecret: env.cookieSecret, connections: 32, seconds },
    ordersASecond: ORDERS_A_SECOND,
    ...shelf,
  };
  const program = join(import.meta.dirname, 'load', 'place-orders.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(task)], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as LoadResult;
}
