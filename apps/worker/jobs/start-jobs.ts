/**
 * The job queue of one worker process: schedulers kept in Redis, a BullMQ worker that runs what comes due, and a
 * watchdog outside the queue that looks at job_run. When a job has had no run for three intervals, the schedulers
 * are written again and the BullMQ worker is replaced by a new one, in the same process (P35, C42).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { jobHealth } from '@holdfast/core/ops';
import { openRedis } from '@holdfast/core/platform';
import { Queue, Worker } from 'bullmq';
import type { ScheduledJob } from './job.ts';
import { KEEP_FINISHED, keepSchedulers } from './keep-schedulers.ts';
import { createJobRunner, type JobRunner, type RunnerDeps } from './run-job.ts';

export const JOB_QUEUE = 'holdfast.jobs';

export interface JobsOptions {
  readonly jobs: readonly ScheduledJob[];
  readonly redisUrl: string;
  /** Name of this process in job_run. */
  readonly worker: string;
  readonly queue?: string;
  readonly keepEveryMs?: number;
  readonly watchEveryMs?: number;
}

export interface RunningJobs {
  /** Names of jobs without a run for three intervals, as of the watchdog's last look. */
  late(): readonly string[];
  /** Ends after the runs under way, within a few seconds. */
  stop(): Promise<void>;
}

/** One BullMQ worker with its own connection, so that replacing it leaves nothing behind. */
interface Hand {
  readonly runner: JobRunner;
  close(): Promise<void>;
}

const CONCURRENCY = 8;
const CLOSE_LIMIT_MS = 5000;
const RETRY_MS = 1000;
/** Together with a scheduler's time to count as stuck: a job that was lost with Redis runs again within 10 s (C42). */
const KEEP_MS = 3000;
const INTERVALS_MISSED = 3;
/**
 * A run whose end Redis never heard of holds its scheduler up until its lock is over and somebody looks: 7.5 s at most
 * (BullMQ's own 30 s and 30 s kept jobs away for a minute). However often Redis goes, the run is put back.
 */
const LOST_RUNS = { lockDuration: 5000, stalledInterval: 2500, maxStalledCount: 1000 } as const;

export function startJobs(deps: RunnerDeps, options: JobsOptions): RunningJobs {
  const { jobs, redisUrl } = options;
  const name = options.queue ?? JOB_QUEUE;
  const redis = openRedis(redisUrl, 'holdfast job schedulers');
  const queue = new Queue(name, { connection: redis });
  queue.on('error', (error) => deps.log.debug({ error }, 'job queue'));
  let hand = openHand(deps, options, name);
  let startedAt = performance.now();
  let late: string[] = [];
  let keeping: Promise<void> | undefined;
  let stopped = false;

  const keep = (all = false): Promise<void> => {
    keeping ??= keepSchedulers(queue, jobs, all)
      .then(({ written, removed }) => {
        if (written.length + removed.length > 0) deps.log.info({ written, removed }, 'job schedulers');
      })
      .catch((error: unknown) => deps.log.warn({ error }, 'job schedulers could not be kept; trying again'))
      .finally(() => {
        keeping = undefined;
      });
    return keeping;
  };

  const watch = async () => {
    const expected = jobs.flatMap((job) => ('everyMs' in job.at ? [{ id: job.id, everyMs: job.at.everyMs }] : []));
    const missed = (await jobHealth(deps.pool, expected)).filter((job) => job.missed);
    // A process, or a new BullMQ worker, gets three intervals before it is judged.
    const grown = performance.now() - startedAt;
    late = missed
      .filter((job) => grown > INTERVALS_MISSED * Math.max(job.everyMs, options.watchEveryMs ?? 15_000))
      .map((job) => job.job);
    if (late.length === 0 || stopped) return;
    deps.log.error({ late }, 'jobs do not come: writing the schedulers again and starting a new queue worker');
    const old = hand;
    hand = openHand(deps, options, name);
    startedAt = performance.now();
    await Promise.all([keep(true), old.close()]);
  };

  redis.on('ready', () => void keep());
  const timers = [
    setInterval(() => void keep(), options.keepEveryMs ?? KEEP_MS),
    setInterval(
      () => void watch().catch((error: unknown) => deps.log.warn({ error }, 'job watchdog could not look')),
      options.watchEveryMs ?? 15_000,
    ),
  ];
  return {
    late: () => late,
    async stop() {
      stopped = true;
      for (const timer of timers) clearInterval(timer);
      await hand.close();
      await Promise.race([queue.close(), sleep(CLOSE_LIMIT_MS, undefined, { ref: false })]);
      redis.disconnect();
    },
  };
}

function openHand(deps: RunnerDeps, { jobs, redisUrl, worker: workerName }: JobsOptions, queue: string): Hand {
  const redis = openRedis(redisUrl, 'holdfast jobs');
  const runner = createJobRunner(deps, workerName);
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const worker = new Worker(
    queue,
    async ({ name }) => {
      const job = byId.get(name);
      if (job) await runner.run(job);
      else deps.log.warn({ job: name }, 'a job that this worker does not know');
    },
    { connection: redis, concurrency: CONCURRENCY, runRetryDelay: RETRY_MS, ...LOST_RUNS, ...KEEP_FINISHED },
  );
  worker.on('error', (error) => deps.log.debug({ error }, 'job queue worker'));
  return {
    runner,
    async close() {
      const closing = worker
        .close()
        .catch((error: unknown) => deps.log.debug({ error }, 'job queue worker did not close cleanly'));
      await Promise.race([Promise.all([closing, runner.settled()]), sleep(CLOSE_LIMIT_MS, undefined, { ref: false })]);
      redis.disconnect();
    },
  };
}
