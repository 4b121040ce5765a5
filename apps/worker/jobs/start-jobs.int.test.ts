import { createMetrics, openRedis, type Redis, silentLog } from '@holdfast/core/platform';
import {
  createTestDatabase,
  setClockOffset,
  startTestRedis,
  type TestDatabase,
  type TestRedis,
  testConfig,
  until,
} from '@holdfast/core/testing';
import { Queue } from 'bullmq';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ScheduledJob } from './job.ts';
import { keepSchedulers } from './keep-schedulers.ts';
import { JOBS } from './register.ts';
import { type RunningJobs, startJobs } from './start-jobs.ts';

const QUEUE = 'test.jobs';
let database: TestDatabase;
let server: TestRedis;
let redis: Redis;
let queue: Queue;
let workers: RunningJobs[] = [];
let runs: Record<string, number> = {};

beforeEach(async () => {
  [database, server] = await Promise.all([createTestDatabase('jobs'), startTestRedis()]);
  redis = openRedis(server.url, 'test');
  queue = new Queue(QUEUE, { connection: redis });
  queue.on('error', () => undefined);
  runs = {};
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  workers = [];
  await queue.close();
  redis.disconnect();
  await server.stop();
  await database.drop();
});

function job(id: string, everyMs: number, run: () => Promise<void> = async () => undefined): ScheduledJob {
  return {
    id,
    at: { everyMs },
    timeLimitMs: 60_000,
    async run() {
      runs[id] = (runs[id] ?? 0) + 1;
      await run();
      return { runs: runs[id] };
    },
  };
}
const FOUR = ['a', 'b', 'c', 'd'].map((id) => job(id, 300));
function start(jobs: readonly ScheduledJob[], more: { keepEveryMs?: number; watchEveryMs?: number } = {}): RunningJobs {
  const worker = startJobs(
    { pool: database.pool, log: silentLog, metrics: createMetrics('test') },
    { jobs, redisUrl: server.url, worker: 'w', queue: QUEUE, ...more },
  );
  workers.push(worker);
  return worker;
}
const schedulers = async () => (await queue.getJobSchedulers()).map((found) => `${found.key} ${found.every}`).sort();
const allRan = (more: number, limitMs?: number) => {
  const before = { ...runs };
  return until(
    `${more} more runs of each job`,
    () => FOUR.every(({ id }) => (runs[id] ?? 0) >= (before[id] ?? 0) + more),
    limitMs,
  );
};
const LOST_AND_BACK_MS = 10_000;

test('C15, C54 – four workers that start together leave one scheduler per job and at most one delayed job each', async () => {
  for (let i = 0; i < 4; i++) start(FOUR);
  await allRan(2);
  expect(await schedulers()).toEqual(['a 300', 'b 300', 'c 300', 'd 300']);
  const delayed = (await queue.getDelayed()).map((found) => found.name);
  expect(new Set(delayed).size).toBe(delayed.length);
});

test('C54 – a new interval replaces the old one, a job that is gone takes its scheduler along', async () => {
  const is = (wanted: string) => until(wanted, async () => (await schedulers()).join() === wanted);
  const before = start([job('a', 1000), job('old', 1000)]);
  await is('a 1000,old 1000');
  await before.stop();
  start([job('a', 2000)]);
  await is('a 2000');
});

test('C54 – a restart does not start the interval anew, so a slow job comes due however often workers restart', async () => {
  const slow = [job('slow', 3_600_000)];
  await keepSchedulers(queue, slow);
  const [before] = await queue.getJobSchedulers();
  for (let i = 0; i < 5; i++) expect(await keepSchedulers(queue, slow)).toEqual({ written: [], removed: [] });
  const [after] = await queue.getJobSchedulers();
  expect(after?.next).toBe(before?.next);
});

test('C42 – jobs vanish with FLUSHALL and come back', async () => {
  start(FOUR, { keepEveryMs: 200 });
  await allRan(1);
  await redis.flushall();
  await allRan(2);
  expect(await schedulers()).toHaveLength(4);
});

test.each(['empty', 'kept'] as const)(
  'C42 – jobs go on in the same process when Redis was killed and came back %s',
  async (data) => {
    start(FOUR);
    await allRan(1);
    await server.kill();
    await server.start(data);
    await allRan(2);
  },
);

test('C42 – jobs go on in the same process when Redis is restarted 20 times', async () => {
  start(FOUR);
  for (let n = 0; n < 20; n++) {
    await allRan(1, LOST_AND_BACK_MS);
    await server.kill();
    await server.start('kept');
  }
  await allRan(2, LOST_AND_BACK_MS);
}, 600_000);

test('C42 – a job whose next run was lost with the server comes back within 10 s, its scheduler as it was', async () => {
  const often = FOUR.map(({ id }) => job(id, 2000));
  start(often);
  await allRan(1);
  await until('all four wait for their time', async () => (await queue.getDelayedCount()) === 4);
  const lost = await queue.getDelayed();
  await redis.del(`bull:${QUEUE}:delayed`, ...lost.map(({ id }) => `bull:${QUEUE}:${id}`));
  expect(await schedulers()).toHaveLength(4);
  await allRan(2, LOST_AND_BACK_MS + 5000);
  expect((await queue.getDelayed()).map((found) => found.name).sort()).toEqual(['a', 'b', 'c', 'd']);
});

test('C42 – jobs go on in the same process when only the connection that waits for work is killed', async () => {
  start(FOUR);
  await allRan(1);
  const waiting = await until('a connection waits for work', async () => {
    const clients = String(await redis.call('CLIENT', 'LIST'));
    return /^id=(\d+) .*cmd=bz?popmin/m.exec(clients)?.[1];
  });
  expect(await redis.call('CLIENT', 'KILL', 'ID', waiting)).toBe(1);
  await allRan(2);
});

test('C42 – a queue worker that hangs is noticed outside the queue and replaced, in the same process', async () => {
  let hanging = true;
  const stuck = job('a', 200, () => (hanging ? new Promise(() => undefined) : Promise.resolve()));
  const worker = start([stuck], { watchEveryMs: 200 });
  await until('the job hangs', () => (runs.a ?? 0) === 1);
  hanging = false;
  await setClockOffset(database.pool, 3_600_000);
  await until('a new worker ran it', () => (runs.a ?? 0) >= 3);
  await until('the watchdog is content', () => worker.late().length === 0);
});

test('each run leaves its outcome; a job of every second leaves a row only now and then, and whenever it fails', async () => {
  let failing = false;
  start([
    job('often', 50, async () => {
      if (failing) throw new Error('no luck');
    }),
  ]);
  await until('ten runs', () => (runs.often ?? 0) >= 10);
  const rows = async (outcome: string) =>
    (await database.pool.query('SELECT detail FROM tinystore_inventory.job_run WHERE outcome = $1', [outcome])).rows;
  expect(await rows('DONE')).toHaveLength(1);
  failing = true;
  await until('failures are recorded', async () => (await rows('FAILED')).length >= 3);
  expect((await rows('FAILED'))[0]).toEqual({ detail: { error: 'no luck' } });
});

test('a run that exceeds its limit counts as failed', async () => {
  start([{ ...job('slow', 10_000, () => new Promise(() => undefined)), timeLimitMs: 100 }]);
  await until(
    'the failure is recorded',
    async () =>
      (
        await database.pool.query(
          `SELECT FROM tinystore_inventory.job_run WHERE outcome = 'FAILED' AND detail->>'error' LIKE 'not done within%'`,
        )
      ).rows.length > 0,
  );
});

test.each([
  ['a minute before', '2026-11-30T02:59:00', '2026-11-30T03:00:00'],
  ['a minute after', '2026-11-30T03:01:00', '2026-12-01T03:00:00'],
  ['on the last day of the year', '2026-12-31T12:00:00', '2027-01-01T03:00:00'],
])('The 03:00 rule – %s, the clean-up is next due at three in the night', async (_when, now, due) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
  try {
    const cleanUp = JOBS.filter((one) => one.id === 'outbox.clean-up').map((one) => ({
      ...job(one.id, 0),
      at: one.schedule(testConfig()),
    }));
    await keepSchedulers(queue, cleanUp);
    const [scheduler] = await queue.getJobSchedulers();
    expect(new Date(scheduler?.next ?? 0)).toEqual(new Date(due));
  } finally {
    vi.useRealTimers();
  }
});
