/**
 * Runs reconcile as the worker's job does, over a whole gate, in a process of its own: so that its memory can be
 * limited from outside. Reads its task as JSON from the first argument and prints what it saw as one JSON line.
 */
import { createGate } from '@holdfast/core/gate';
import { createMetrics, createPool, openGateRedis, silentLog } from '@holdfast/core/platform';
import { type RunSummary, reconcile } from '@holdfast/core/reconcile';

export interface ReconcileTask {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly runs: number;
}

export interface ReconcileResult {
  /** Seconds a run; the first one in this process, with cold code, is not among them. */
  readonly seconds: readonly number[];
  readonly coldSeconds: number;
  readonly last: RunSummary;
}

/** The worker's own limits, but for the length of one statement on a machine that is being measured. */
const PROOF_AGE_MS = 60_000;
const COMMAND_LIMIT_MS = 5000;

async function main(task: ReconcileTask): Promise<ReconcileResult> {
  const pool = createPool({ url: task.databaseUrl, name: 'reconcile', max: 4, statementTimeoutMs: 60_000 });
  const redis = openGateRedis(task.redisUrl, 'reconcile', COMMAND_LIMIT_MS);
  await new Promise((resolve) => redis.once('ready', resolve));
  const shared = { pool, log: silentLog, metrics: createMetrics('bench'), waker: { wake: () => undefined } };
  const gate = createGate({ ...shared, redis });
  const run = async () => {
    const started = performance.now();
    const summary = await reconcile({ ...shared, gate, proofAgeMs: PROOF_AGE_MS });
    return { seconds: (performance.now() - started) / 1000, summary };
  };
  const cold = await run();
  let last = cold.summary;
  const seconds: number[] = [];
  for (let n = 0; n < task.runs; n++) {
    const found = await run();
    seconds.push(found.seconds);
    last = found.summary;
  }
  redis.disconnect();
  await pool.end();
  return { seconds, coldSeconds: cold.seconds, last };
}

process.stdout.write(`${JSON.stringify(await main(JSON.parse(process.argv[2] ?? '{}') as ReconcileTask))}\n`);
