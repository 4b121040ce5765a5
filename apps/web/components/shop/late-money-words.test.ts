import { expect, it } from 'vitest';
import { lateMoneyWords } from './late-money-words.ts';

it('says what became of late money, and never that money is kept', () => {
  expect(lateMoneyWords({ cause: 'LATE', status: 'OPEN' }, 'TIMED_OUT').text).toContain('money back');
  expect(lateMoneyWords({ cause: 'LATE', status: 'REVIVED' }, null).text).toContain('order went on');
  for (const cause of ['LATE', 'SECOND', 'AMOUNT_DIFFERS', 'CONFIRM_CONFLICT'] as const) {
    expect(lateMoneyWords({ cause, status: 'REFUND_DUE' }, 'TIMED_OUT').text).toContain('giving it back');
    expect(lateMoneyWords({ cause, status: 'REFUNDED' }, 'TIMED_OUT').text).toContain('has been given back');
  }
});

it('promises no revive for a payment that can have none', () => {
  for (const cause of ['SECOND', 'AMOUNT_DIFFERS'] as const)
    expect(lateMoneyWords({ cause, status: 'OPEN' }, 'TIMED_OUT').text).toContain('giving it back');
});

it('promises no revive for an order that was ended on purpose', () => {
  for (const closeReason of [
    'BUYER_CANCELLED',
    'OPERATOR_CANCELLED',
    'PROMOTION_REJECTED',
    'PAYMENT_RETURNED',
  ] as const)
    expect(lateMoneyWords({ cause: 'LATE', status: 'OPEN' }, closeReason).text).toContain('giving it back');
});
