import { Redis } from 'ioredis';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FaultProxy, openFaultProxy } from './fault-proxy.ts';
import { startTestRedis, type TestRedis } from './redis-server.ts';
import { until } from './until.ts';

let server: TestRedis;
let proxy: FaultProxy;
let direct: Redis;
let through: Redis;
beforeEach(async () => {
  server = await startTestRedis();
  proxy = await openFaultProxy(Number(new URL(server.url).port));
  direct = new Redis(server.url);
  through = new Redis(proxy.before(server.url), {
    enableReadyCheck: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 400,
  });
  through.on('error', () => undefined);
  await through.ping();
});
afterEach(async () => {
  through.disconnect();
  direct.disconnect();
  proxy.close();
  await server.stop();
});
const fails = () =>
  through.incr('n').then(
    () => 'answered',
    () => 'failed',
  );
const readN = async () => Number(await direct.get('n'));

test('Cut before delivery: the server never sees the command', async () => {
  proxy.set({ kind: 'cut-before-delivery', match: 'incr', times: 1 });
  expect(await fails()).toBe('failed');
  expect(await readN()).toBe(0);
  await until('it is connected again', async () => (await fails()) === 'answered');
  expect(proxy.struck()).toBe(1);
});

test('Cut after delivery: the command is carried out and nobody is told', async () => {
  proxy.set({ kind: 'cut-after-delivery', match: 'incr', times: 1 });
  expect(await fails()).toBe('failed');
  expect(await readN()).toBe(1);
});

test('Drop the reply: the command is carried out, the connection stays open and silent', async () => {
  proxy.set({ kind: 'drop-reply', match: 'incr', times: 1 });
  expect(await fails()).toBe('failed');
  expect(through.status).toBe('ready');
  expect(await readN()).toBe(1);
});

test('Black hole: nothing passes, and everything does again afterwards', async () => {
  proxy.set({ kind: 'black-hole' });
  expect(await fails()).toBe('failed');
  expect(await readN()).toBe(0);
  proxy.set({ kind: 'none' });
  proxy.cut();
  await until('it is connected again', async () => (await fails()) === 'answered');
});

test('Delay and slices: everything arrives, in its order', async () => {
  for (const fault of [
    { kind: 'delay', ms: 30 },
    { kind: 'slice', bytes: 3 },
  ] as const) {
    proxy.set(fault);
    await through.del('list');
    await Promise.all(Array.from({ length: 20 }, (_, n) => through.rpush('list', n)));
    expect(await through.lrange('list', 0, -1)).toEqual(Array.from({ length: 20 }, (_, n) => String(n)));
  }
});

test('A commit of PostgreSQL whose reply is lost has happened', async () => {
  const url = process.env.DATABASE_URL ?? '';
  const before = await openFaultProxy(Number(new URL(url).port));
  const client = new pg.Client({ connectionString: before.before(url) });
  client.on('error', () => undefined);
  await client.connect();
  const table = `lost_${process.pid}_${Math.floor(performance.now())}`;
  before.set({ kind: 'cut-after-delivery', match: 'COMMIT', times: 1 });
  await client.query('BEGIN');
  await client.query(`CREATE TABLE ${table} (n integer)`);
  await expect(client.query('COMMIT')).rejects.toThrow();
  before.close();
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query(`DROP TABLE ${table}`);
  await other.end();
});
