/**
 * Runs one job by hand and prints its report: node run-one-job.ts <id> [--dry-run]. Safe beside running workers: a job
 * is only a trigger, and the loops work only where their lease is free. Exits 1 when the run failed.
 */
import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { createLog, loadConfig } from '@holdfast/core/platform';
import { JOBS } from './jobs/register.ts';
import { findJob, LOOP_JOBS, previewJob, runJob } from './jobs/run-by-hand.ts';
import { openJobDeps } from './open-job-deps.ts';

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { 'dry-run': { type: 'boolean' } }, allowPositionals: true });
  const job = findJob(JOBS, positionals[0]);
  const dry = values['dry-run'] === true;
  const config = loadConfig();
  // The report is all that is printed, unless something is wrong.
  const log = createLog('job', config.process.LOG_LEVEL === 'info' ? 'warn' : config.process.LOG_LEVEL);
  const holder = `by hand ${hostname()}:${process.pid}`;
  const { deps, close } = await openJobDeps(config, log, {
    holder,
    loops: !dry && LOOP_JOBS.has(job.id) ? 'start' : 'wake',
  });
  try {
    const report = dry ? await previewJob(job, deps) : await runJob(job, deps, holder);
    console.log(JSON.stringify(report, null, 2));
  } finally {
    await close();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
