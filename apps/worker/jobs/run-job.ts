/**
 * One run of a job: time limit, outcome, a row in job_run (the watchdog and the console read it), metric. A job that
 * runs every second leaves a row only every ten seconds, and whenever it fails.
 */
import { SPARSE_RECORD_MS } from '@holdfast/core/ops';
import type { JobDeps, JobDetail, ScheduledJob } from './job.ts';

export type RunnerDeps = Pick<JobDeps, 'pool' | 'log' | 'metrics'>;

const SPARSE_BELOW_MS = 10_000;

export interface JobRunner {
  /** Runs the job unless this runner is already at it. A failure is recorded and thrown. */
  run(job: ScheduledJob): Promise<void>;
  /** Waits for runs under way. */
  settled(): Promise<void>;
}

export function createJobRunner(deps: RunnerDeps, worker: string): JobRunner {
  const underWay = new Map<string, Promise<void>>();
  const recordedAt = new Map<string, number>();
  return {
    run(job) {
      const running = underWay.get(job.id);
      if (running !== undefined) return running;
      const run = runOnce(deps, worker, job, recordedAt).finally(() => underWay.delete(job.id));
      underWay.set(job.id, run);
      return run;
    },
    async settled() {
      await Promise.allSettled(underWay.values());
    },
  };
}

async function runOnce(
  deps: RunnerDeps,
  worker: string,
  job: ScheduledJob,
  recordedAt: Map<string, number>,
): Promise<void> {
  const sparse = 'everyMs' in job.at && job.at.everyMs < SPARSE_BELOW_MS;
  const last = recordedAt.get(job.id);
  const record = !sparse || last === undefined || performance.now() - last >= SPARSE_RECORD_MS;
  if (record) recordedAt.set(job.id, performance.now());
  const row = record ? await begin(deps, worker, job.id) : undefined;
  try {
    const detail = await within(job.timeLimitMs, job.run());
    deps.metrics.jobs.inc({ job: job.id, outcome: 'DONE' });
    if (row !== undefined) await end(deps, row, 'DONE', detail);
  } catch (error) {
    deps.metrics.jobs.inc({ job: job.id, outcome: 'FAILED' });
    deps.log.error({ error, job: job.id }, 'job failed; its next run tries again');
    await end(deps, row ?? (await begin(deps, worker, job.id)), 'FAILED', {
      error: error instanceof Error ? error.message : String(error),
    });
    throw error;
  }
}

async function begin({ pool }: RunnerDeps, worker: string, job: string): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    'INSERT INTO tinystore_inventory.job_run (job, worker) VALUES ($1, $2) RETURNING id',
    [job, worker],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('a job run was not recorded');
  return id;
}

async function end({ pool }: RunnerDeps, id: number, outcome: 'DONE' | 'FAILED', detail: JobDetail): Promise<void> {
  await pool.query(
    'UPDATE tinystore_inventory.job_run SET ended_at = ops.clock_now(), outcome = $2, detail = $3 WHERE id = $1',
    [id, outcome, JSON.stringify(detail)],
  );
}

async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`not done within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
