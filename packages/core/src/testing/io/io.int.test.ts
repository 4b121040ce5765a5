import { afterAll, beforeAll, expect, test } from 'vitest';
import { classifyDatabaseError, inTransaction, openRedis, type Redis } from '../../platform/index.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { startTestRedis, type TestRedis } from '../redis-server.ts';
import { until } from '../until.ts';
import {
  countCalls,
  crashAt,
  type Io,
  loseReply,
  neverRuns,
  ProcessDied,
  pause,
  runsLate,
  twice,
  watchPool,
  watchRedis,
} from './index.ts';

let database: TestDatabase;
let server: TestRedis;
let redis: Redis;
beforeAll(async () => {
  [database, server] = await Promise.all([createTestDatabase('io'), startTestRedis()]);
  await database.pool.query('CREATE TABLE mark (n integer)');
  redis = openRedis(server.url, 'test');
});
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
  await database?.drop();
});

const insert = (io: Io, n: number) =>
  inTransaction(watchPool(database.pool, io), async (tx) => {
    await tx.query('INSERT INTO mark VALUES ($1)', [n]);
  });
const isThere = async (n: number) => (await database.pool.query('SELECT FROM mark WHERE n = $1', [n])).rowCount === 1;
const openTransactions = async () =>
  (
    await database.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    )
  ).rowCount;

test('A transaction is a step for its connection, for each statement, and for its commit', async () => {
  const counting = countCalls();
  await insert(counting.io, 1);
  expect(counting.calls.map(({ what }) => what)).toEqual(['connect', 'BEGIN', 'INSERT INTO mark VALUES', 'COMMIT']);
});

test.each([0, 1, 2, 3].flatMap((at) => [[at, 'before'] as const, [at, 'after'] as const]))(
  'A process that crashes at call %i, %s it, leaves nothing open, and its work only after the commit',
  async (at, edge) => {
    const n = 10 + at * 2 + (edge === 'after' ? 1 : 0);
    const crashing = crashAt(at, edge);
    await expect(insert(crashing.io, n)).rejects.toThrow(ProcessDied);
    await crashing.died;
    await until('its session has ended', async () => (await openTransactions()) === 0);
    expect(await isThere(n)).toBe(at === 3 && edge === 'after');
    expect(crashing.calls).toHaveLength(at + 1);
    await expect(insert(crashing.io, n)).rejects.toThrow(ProcessDied);
  },
);

test('A lost answer says the same whether the commit happened or not, and a later statement of that session fails', async () => {
  const isCommit = ({ what }: { what: string }) => what === 'COMMIT';
  for (const [plan, n] of [
    [loseReply(isCommit), 30],
    [neverRuns(isCommit), 31],
  ] as const) {
    const error = await insert(plan.io, n).catch((failure: unknown) => failure);
    expect(classifyDatabaseError(error)).toBe('unknown');
    expect(plan.calls.filter(({ what }) => what === 'ROLLBACK')).toEqual([]);
    expect(await isThere(n)).toBe(n === 30);
  }
  await until('the sessions have ended', async () => (await openTransactions()) === 0);
});

test('A command whose answer is lost, that comes late, that comes twice, or that waits, does what it says', async () => {
  const raise = (io: Io) => watchRedis(redis, io).incr('n');
  await expect(raise(loseReply(0).io)).rejects.toThrow('Command timed out');
  expect(await redis.get('n')).toBe('1');
  const late = runsLate(0);
  await expect(raise(late.io)).rejects.toThrow('Command timed out');
  expect(await redis.get('n')).toBe('1');
  await late.go();
  expect(await redis.get('n')).toBe('2');
  expect(await raise(twice(0).io)).toBe(3);
  expect(await redis.get('n')).toBe('4');
  const held = pause(0);
  const waiting = raise(held.io);
  expect(await redis.get('n')).toBe('4');
  await held.go();
  expect(await waiting).toBe(5);
});

test('A pipeline is one step, and the rest of a connection is left as it is', async () => {
  const counting = countCalls();
  const watched = watchRedis(redis, counting.io);
  await watched.multi().set('a', 1).set('b', 2).exec();
  expect(watched.status).toBe('ready');
  expect(counting.calls).toEqual([{ server: 'redis', what: 'exec' }]);
});
