import { expect, test } from 'vitest';
import { findDifferences } from './find-differences.ts';

const ours = { amountMinor: 1999, currency: 'EUR', receivedMinor: 1999, refundedMinor: 500, refundsUnderWayMinor: 0 };
const theirs = {
  kind: 'read',
  status: 'SUCCEEDED',
  amountMinor: 1999,
  currency: 'EUR',
  receivedMinor: 1999,
  refundedMinor: 500,
  charges: [],
} as const;

test('equal views differ in nothing', () => {
  expect(findDifferences(ours, theirs)).toEqual([]);
});

test('a refund under way may have been done at the provider or not', () => {
  const sent = { ...ours, refundedMinor: 0, refundsUnderWayMinor: 500 };
  for (const refundedMinor of [0, 500]) expect(findDifferences(sent, { ...theirs, refundedMinor })).toEqual([]);
  expect(findDifferences(sent, { ...theirs, refundedMinor: 501 })).toHaveLength(1);
});

test.each([
  { amountMinor: 2000 },
  { currency: 'USD' },
  { receivedMinor: 0 },
  { receivedMinor: 3998 },
  { refundedMinor: 499 },
  { refundedMinor: 501 },
])('%j is one difference', (changes) => {
  expect(findDifferences(ours, { ...theirs, ...changes })).toHaveLength(1);
});

test('an intent that the provider does not know is a difference', () => {
  expect(findDifferences(ours, { kind: 'not-found' })).toHaveLength(1);
});
