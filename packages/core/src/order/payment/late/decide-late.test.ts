import { expect, test } from 'vitest';
import { TRADE, type TradeStatus } from '../../../domain/index.ts';
import { decideLate, type LateFacts } from './decide-late.ts';

const facts: LateFacts = {
  status: 'OPEN',
  cause: 'LATE',
  overdue: false,
  trade: { status: 'CLOSED', closeReason: 'TIMED_OUT' },
  ready: true,
  otherRevives: false,
};
const decide = (changes: Partial<LateFacts>) => decideLate({ ...facts, ...changes }).kind;
const closed = (closeReason: NonNullable<LateFacts['trade']>['closeReason']) =>
  ({ status: 'CLOSED', closeReason }) as const;

test('money for an order that ran out of time, was over-admitted or met a conflict revives it', () => {
  for (const reason of ['TIMED_OUT', 'OVER_ADMITTED', 'CONFIRM_CONFLICT'] as const)
    for (const cause of ['LATE', 'CONFIRM_CONFLICT'] as const)
      for (const status of ['OPEN', 'REVIVING'] as const)
        expect(decide({ trade: closed(reason), cause, status })).toBe('revive');
});

test('money for an order that a person had ended goes back', () => {
  for (const reason of ['BUYER_CANCELLED', 'OPERATOR_CANCELLED', 'PAYMENT_RETURNED'] as const)
    expect(decide({ trade: closed(reason) })).toBe('refund');
});

test('second, unmatched and wrong payments go back, whatever their order is doing', () => {
  for (const cause of ['SECOND', 'UNMATCHED', 'AMOUNT_DIFFERS'] as const)
    for (const status of Object.keys(TRADE) as TradeStatus[])
      expect(decide({ cause, trade: { status, closeReason: null } })).toBe('refund');
  expect(decide({ trade: null })).toBe('refund');
});

test('an order that has its money from elsewhere is not revived', () => {
  for (const status of ['PAID_PENDING', 'PAID', 'SHIPPED', 'RECEIVED', 'REFUNDED'] as const)
    expect(decide({ trade: { status, closeReason: null } })).toBe('refund');
});

test('a revive waits for the old units and for its turn, and gives up after its time', () => {
  expect(decide({ ready: false })).toBe('wait');
  expect(decide({ otherRevives: true })).toBe('wait');
  for (const ready of [true, false]) expect(decide({ ready, overdue: true })).toBe('refund');
});

test('what is decided is not decided again', () => {
  expect(decide({ status: 'REFUND_DUE', overdue: true })).toBe('follow-refund');
  for (const status of ['REVIVED', 'REFUNDED'] as const) expect(decide({ status, overdue: true })).toBe('ended');
});
