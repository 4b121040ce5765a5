import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forgetData, refuseGiven } from './forget-data.ts';

test('A reset removes the data of the demo’s own servers and leaves its secrets and logs', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-reset-'));
  const dataDir = join(dir, 'redis', 'data');
  mkdirSync(dataDir, { recursive: true });
  for (const file of ['secrets.json', 'redis.log', 'redis/data/dump.rdb']) writeFileSync(join(dir, file), '{}');
  writeFileSync(
    join(dir, 'services.json'),
    JSON.stringify({ urls: {}, servers: { redis: { name: 'redis', dataDir } } }),
  );
  const said: string[] = [];
  await forgetData(dir, (line) => said.push(line));
  expect(said).toEqual(['redis: data thrown away']);
  expect(['secrets.json', 'redis.log', 'redis/data'].map((file) => existsSync(join(dir, file)))).toEqual([
    true,
    true,
    false,
  ]);
  rmSync(dir, { recursive: true });
});

test('A reset of a demo that never ran does nothing', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-reset-'));
  await forgetData(dir, () => expect.unreachable());
  rmSync(dir, { recursive: true });
});

test('A reset is refused while one address comes from outside', () => {
  expect(() => refuseGiven({})).not.toThrow();
  expect(() => refuseGiven({ REDIS_URL: 'redis://production' })).toThrow('unset REDIS_URL first');
});
