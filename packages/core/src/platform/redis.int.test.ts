import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FaultProxy, openFaultProxy } from '../testing/fault-proxy.ts';
import { startTestRedis, type TestRedis } from '../testing/redis-server.ts';
import { openGateRedis, openRedis, type Redis } from './redis.ts';

let server: TestRedis;
let proxy: FaultProxy;
let redis: Redis;
beforeEach(async () => {
  server = await startTestRedis();
  proxy = await openFaultProxy(Number(new URL(server.url).port));
});
afterEach(async () => {
  redis.disconnect();
  proxy.close();
  await server.stop();
});
const connected = async (opened: Redis) => {
  redis = opened;
  if (redis.status !== 'ready') await new Promise((resolve) => redis.once('ready', resolve));
};

test('C42 – A command of the job queue whose reply was lost is answered once Redis is back, never left waiting for ever', async () => {
  await connected(openRedis(proxy.before(server.url), 'patient'));
  proxy.set({ kind: 'cut-after-delivery', match: 'lpush', times: 1 });
  expect(await redis.lpush('list', 'a')).toBeGreaterThanOrEqual(1);
  expect(proxy.struck()).toBe(1);
});

test('P7 – A command of the gate whose reply was lost fails at once and is not sent again', async () => {
  await connected(openGateRedis(proxy.before(server.url), 'gate', 5000));
  proxy.set({ kind: 'cut-after-delivery', match: 'incr', times: 1 });
  await expect(redis.incr('n')).rejects.toThrow();
  await new Promise((resolve) => redis.once('ready', resolve));
  expect(await redis.get('n')).toBe('1');
});
