import { expect, test } from 'vitest';
import { nextBackOffMs } from './back-off.ts';

test('A program that keeps dying is started ever more slowly, at most every 5 s', () => {
  const waits: number[] = [];
  for (let death = 0; death < 7; death += 1) waits.push(nextBackOffMs(waits.at(-1), 100));
  expect(waits).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
});

test('A program that lived for 30 s is started again at once', () => {
  expect(nextBackOffMs(5000, 30_000)).toBe(250);
});
