import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, setClockOffset, type TestDatabase } from '../testing/index.ts';
import { holdLease } from './lease.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('lease');
});
afterAll(() => database.drop());

const TTL_MS = 5000;
const hold = (holder: string) => holdLease(database.pool, 'test', holder, TTL_MS);

test('P19 – The lease of a dead holder, written before the clock was set back 20 minutes, holds nobody up', async () => {
  await setClockOffset(database.pool, 20 * 60_000);
  expect(await hold('first')).toBe(true);
  expect(await hold('second')).toBe(false);
  await setClockOffset(database.pool, 0);
  expect(await hold('second')).toBe(true);
  expect(await hold('third')).toBe(false);
});

test('A lease that would run for longer than any may is refused', async () => {
  await expect(holdLease(database.pool, 'long', 'first', 121_000)).rejects.toThrow('too long');
});
