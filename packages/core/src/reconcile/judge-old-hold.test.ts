import { describe, expect, test } from 'vitest';
import { judgeOldHold, type OldHoldFacts } from './judge-old-hold.ts';

const ghost: OldHoldFacts = {
  status: null,
  lineState: null,
  abandoned: false,
  effectPending: false,
  tradeStatus: null,
  closedLongAgo: false,
  veryOld: false,
};
const named = { ...ghost, lineState: 'CURRENT', tradeStatus: 'UNPAID' } as const;
const verdict = (change: Partial<OldHoldFacts>) => judgeOldHold({ ...ghost, ...change });

describe('the ghost sweep ends a hold only with a proof (P17)', () => {
  test('a hold that nothing names is abandoned first', () => expect(verdict({})).toBe('abandon'));
  test('an abandoned one is given back, in any later run', () =>
    expect(verdict({ abandoned: true })).toBe('give-back'));
  test('a sold one is only ever settled', () => {
    expect(verdict({ ...named, status: 'CONFIRMED' })).toBe('settle');
    expect(verdict({ status: 'CONFIRMED', abandoned: true, veryOld: true })).toBe('settle');
  });
  test.each(['RELEASED', 'EXPIRED'] as const)('one that is %s is given back', (status) =>
    expect(verdict({ ...named, status })).toBe('give-back'),
  );
  test.each(['CONFIRMED', 'RELEASED', 'EXPIRED'] as const)('one that is %s is left to its pending effect', (status) =>
    expect(verdict({ ...named, status, effectPending: true })).toBe('keep'),
  );
  test('one that is PRE_DEDUCTED is kept, however old', () =>
    expect(verdict({ ...named, status: 'PRE_DEDUCTED', veryOld: true })).toBe('keep'));
  test.each(['UNPAID', 'PAID_PENDING', 'PAID'] as const)(
    'one that an order names is kept while the trade is %s',
    (tradeStatus) => expect(verdict({ ...named, tradeStatus })).toBe('keep'),
  );
  test('one whose trade closed long ago and that has no row gets its tombstone', () =>
    expect(verdict({ ...named, tradeStatus: 'CLOSED', closedLongAgo: true })).toBe('tombstone'));
  test('one whose trade closed a moment ago waits for its RELEASE', () =>
    expect(verdict({ ...named, tradeStatus: 'CLOSED' })).toBe('keep'));
  test.each(['CURRENT', 'INTENDED', 'PAST'] as const)(
    'one that a %s line names without a row for 30 minutes is an incident, not a give-back',
    (lineState) => expect(verdict({ ...named, lineState, veryOld: true })).toBe('unproven'),
  );
});
