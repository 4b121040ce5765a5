import { expect, test } from 'vitest';
import { MAX_STOCK } from '../../domain/index.ts';
import { judgeRows } from './judge-rows.ts';

const fact = { shopId: 'S1', skuId: 'K1', total: 10, confirmed: 5, held: 3, free: 7 };
const rows = (...changes: number[]) =>
  changes.map((change, i) => ({ line: i + 2, ref: `r${i}`, shopId: 'S1', skuId: 'K1', change, bookedBy: null }));
const verdicts = (...changes: number[]) => judgeRows(rows(...changes), [fact]).map((row) => row.verdict);

test('Rows of one SKU are forecast one after the other, in the order of the file', () => {
  expect(judgeRows(rows(-7, -1, 4, -4), [fact])).toMatchObject([
    { verdict: 'ok', totalBefore: 10, totalAfter: 3, free: 7 },
    { verdict: 'below held', totalBefore: 3, totalAfter: 3, free: 0 },
    { verdict: 'ok', totalBefore: 3, totalAfter: 7, free: 0 },
    { verdict: 'ok', totalBefore: 7, totalAfter: 3, free: 4 },
  ]);
});

test('A SKU may have its limit over its life, what was sold among it', () => {
  expect(verdicts(MAX_STOCK - 15)).toEqual(['ok']);
  expect(verdicts(MAX_STOCK - 14)).toEqual(['too many']);
  // What is written off has been had.
  expect(verdicts(-5, MAX_STOCK - 14)).toEqual(['ok', 'too many']);
});

test('A reference that is booked, and a SKU that nobody sells, change nothing', () => {
  const [row] = rows(5);
  if (!row) throw new Error('no row');
  expect(judgeRows([{ ...row, bookedBy: 'import' }], [fact])).toMatchObject([
    { verdict: 'booked before', totalAfter: 10 },
  ]);
  expect(judgeRows([row], [])).toMatchObject([{ verdict: 'unknown SKU' }]);
  expect(judgeRows([row], [{ ...fact, total: undefined, confirmed: 0, held: 0, free: 0 }])).toMatchObject([
    { verdict: 'ok', totalBefore: 0, totalAfter: 5 },
  ]);
});
