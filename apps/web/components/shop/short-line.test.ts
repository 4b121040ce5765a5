import { expect, test } from 'vitest';
import { shortLine } from './short-line.ts';

test('a limit of the buyer does not read as stock', () => {
  expect(shortLine('LIMIT_EXCEEDED', 1)).toBe('At most 1 for you now');
  expect(shortLine('LIMIT_EXCEEDED', 0)).toBe('No more for you now');
});

test('what is left of the stock is said as such', () => {
  expect(shortLine('SOLD_OUT', 1)).toBe('Only 1 left');
  expect(shortLine('SOLD_OUT', 0)).toBe('Sold out');
});
