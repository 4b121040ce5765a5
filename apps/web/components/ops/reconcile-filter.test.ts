import { expect, test } from 'vitest';
import { logAddress, readLogFilter } from './reconcile-filter.ts';

test('A link to some entries of the reconcile log shows the same entries again', () => {
  const filter = { kind: 'REPAIR', shop: 'S1', sku: 'K1', cause: 'GHOST', entry: '12' } as const;
  const address = logAddress(filter);
  expect(address).toBe('/ops/reconcile?shop=S1&sku=K1&cause=GHOST&entry=12&kind=REPAIR');
  expect(readLogFilter(new URL(address, 'http://x').searchParams)).toEqual(filter);
});

test('What nobody can mean is no filter', () => {
  expect(readLogFilter(new URLSearchParams('kind=NONE&sku=%20&page=3'))).toEqual({});
  expect(logAddress({})).toBe('/ops/reconcile');
});
