import { expect, it } from 'vitest';
import { sayBefore } from './say-before.ts';

it('A finding shows the gate as it was found, and an unread gate never as zero', () => {
  expect(sayBefore({ risk: 'oversell', total: 100, deducted: 7, holds: 0, rows: [] })).toBe('T 100 · D 7 · holds 0');
  expect(sayBefore({ unknown: 'no answer' })).toBe('not known');
  expect(sayBefore({})).toBe('–');
});
