import { expect, it } from 'vitest';
import { sayTimeLeft } from './countdown.tsx';

it('C64: the countdown says minutes, and seconds only in the last two', () => {
  expect(sayTimeLeft(15 * 60_000)).toBe('15 min');
  expect(sayTimeLeft(121_000)).toBe('3 min');
  expect(sayTimeLeft(120_000)).toBe('2:00');
  expect(sayTimeLeft(61_500)).toBe('1:02');
  expect(sayTimeLeft(0)).toBe('0:00');
});
