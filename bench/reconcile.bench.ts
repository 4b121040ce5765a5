/**
 * Suite `reconcile`: one whole run of the product's reconcile over 100 000 SKUs with 1 000 000 reservation rows, and over
 * a tenth of both. Three runs; the median counts, against a limit in seconds and, ten times the SKUs, in times. The
 * process that reconciles has little memory, so that what it holds cannot grow with the number of SKUs.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkInvariants } from '@holdfast/core/testing';
import type { ReconcileResult, ReconcileTask } from './load/run-reconcile.ts';
import { median } from './measure/percentile.ts';
import { readPlainly } from './measure/read-plainly.ts';
import { findSlowScripts } from './measure/slow-scripts.ts';
import { benchEnvironment } from './prepare/bench-environment.ts';
import { type OwnBooks, openOwnBooks } from './prepare/own-books.ts';

const SKUS = 100_000;
const LIMIT_S = 6;
const LIMIT_TIMES = 11;
const ROWS_A_SKU = 10;
const RUNS = 3;
/** Of Node's old generation. */
const MEMORY_LIMIT_MB = 256;
/** Of the books alone: the rows were written without their orders. */
const LEDGER_INVARIANTS = [1, 2, 3, 5, 9];

benchEnvironment();
const failures: string[] = [];
const few = await measure(SKUS / 10);
const many = await measure(SKUS);
const times = many / few;
console.log(
  `reconcile: ${many.toFixed(2)} s for ${SKUS} SKUs, limit ${LIMIT_S} s; ${times.toFixed(1)} times as long as for a tenth, limit ${LIMIT_TIMES}`,
);
if (many > LIMIT_S) failures.push(`${many.toFixed(2)} s is above the limit of ${LIMIT_S} s`);
if (times > LIMIT_TIMES) failures.push(`ten times the SKUs took ${times.toFixed(1)} times as long`);
for (const failure of failures) console.error(`FAILED ${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;

/** Seconds, the median of the runs. */
async function measure(skus: number): Promise<number> {
  const books = await openOwnBooks({ shops: 20, skus, rowsASku: ROWS_A_SKU, liveASku: 1 });
  try {
    const { seconds, coldSeconds, last } = await runReconcile(books);
    const plain = median([await readPlainly(books.pool, books.redis), await readPlainly(books.pool, books.redis)]);
    console.log(
      `${skus} SKUs, ${skus * ROWS_A_SKU} rows, ${skus} live holds: ${seconds.map((s) => s.toFixed(2)).join(', ')} s (first run of the process ${coldSeconds.toFixed(2)} s), ` +
        `within ${MEMORY_LIMIT_MB} MB; the same keys and rows read plainly ${plain.toFixed(2)} s, ratio ${(plain / median(seconds)).toFixed(2)}`,
    );
    if (last.outcome !== 'complete' || last.judged !== skus || last.differing > 0)
      failures.push(`${skus} SKUs: ${JSON.stringify(last)}`);
    for (const violation of await checkInvariants({ ...books, only: LEDGER_INVARIANTS }))
      failures.push(`invariant: ${JSON.stringify(violation)}`);
    if (skus === SKUS) await judgeScripts(books);
    return median(seconds);
  } finally {
    await books.close();
  }
}

/** C48: no script of the shop blocks Redis for everybody, with one SKU of 200 000 holds. */
async function judgeScripts(books: OwnBooks): Promise<void> {
  const { slow, longestMs, keysCalled, takes, takeP99Ms } = await findSlowScripts(books);
  console.log(
    `scripts of 5 ms or more: ${slow} (longest ${longestMs.toFixed(1)} ms), KEYS ${keysCalled ? 'called' : 'never called'}; ` +
      `${takes} takes meanwhile, p99 ${takeP99Ms.toFixed(1)} ms`,
  );
  if (slow > 0 || keysCalled) failures.push('a script or KEYS blocks Redis for everybody');
}

async function runReconcile({ databaseUrl, redisUrl }: OwnBooks): Promise<ReconcileResult> {
  const task: ReconcileTask = { databaseUrl, redisUrl, runs: RUNS };
  const program = join(import.meta.dirname, 'load', 'run-reconcile.ts');
  const options = [`--max-old-space-size=${MEMORY_LIMIT_MB}`, program, JSON.stringify(task)];
  const { stdout } = await promisify(execFile)(process.execPath, options);
  return JSON.parse(stdout) as ReconcileResult;
}
