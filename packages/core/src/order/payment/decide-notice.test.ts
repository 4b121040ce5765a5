import { expect, test } from 'vitest';
import { TRADE, type TradeStatus } from '../../domain/index.ts';
import { decideNotice, type NoticeFacts } from './decide-notice.ts';

const facts: NoticeFacts = {
  kind: 'SUCCEEDED',
  attempt: 1,
  amountFits: true,
  inTime: true,
  chargeJudged: false,
  chargeRefunded: false,
  tradeStatus: 'UNPAID',
  intentStatus: 'PROCESSING',
  intentAttempt: 1,
};
const decide = (changes: Partial<NoticeFacts>) => decideNotice({ ...facts, ...changes });
const states = Object.keys(TRADE) as TradeStatus[];

test('only the exact amount, in time, on an unpaid trade pays it', () => {
  expect(decide({})).toBe('pay');
  for (const tradeStatus of states)
    for (const inTime of [true, false])
      for (const amountFits of [true, false]) {
        const paid = decide({ tradeStatus, inTime, amountFits }) === 'pay';
        expect(paid).toBe(tradeStatus === 'UNPAID' && inTime && amountFits);
      }
});

test('money for a trade that has its money is a second payment, for a closed or overdue one late money', () => {
  for (const tradeStatus of ['PAID_PENDING', 'PAID', 'SHIPPED', 'RECEIVED', 'REFUNDED'] as const)
    expect(decide({ tradeStatus })).toBe('second');
  expect(decide({ tradeStatus: 'CLOSED' })).toBe('late');
  expect(decide({ inTime: false })).toBe('late');
});

test('a wrong amount is never money for the order, whatever its state', () => {
  for (const tradeStatus of states) expect(decide({ tradeStatus, amountFits: false })).toBe('amount-differs');
});

test('a failure fails the current attempt of a running payment and nothing else', () => {
  expect(decide({ kind: 'FAILED' })).toBe('fail-attempt');
  expect(decide({ kind: 'FAILED', intentStatus: 'CREATED' })).toBe('fail-attempt');
  for (const change of [
    { attempt: 2 },
    { intentAttempt: 2 },
    { intentStatus: 'FAILED' },
    { intentStatus: 'SUCCEEDED' },
    { tradeStatus: 'PAID' },
    { tradeStatus: 'CLOSED' },
  ] as const)
    expect(decide({ kind: 'FAILED', ...change })).toBe('note');
});

test('created and processing decide nothing', () => {
  for (const kind of ['CREATED', 'PROCESSING'] as const)
    for (const tradeStatus of states) expect(decide({ kind, tradeStatus, amountFits: false })).toBe('note');
});

test('two notices of one charge are one payment, also when the amount differs', () => {
  for (const tradeStatus of states)
    for (const amountFits of [true, false])
      expect(decide({ chargeJudged: true, tradeStatus, amountFits })).toBe('note');
});

test('money that went back before its success was judged pays nothing', () => {
  for (const tradeStatus of states) expect(decide({ chargeRefunded: true, tradeStatus })).toBe('came-and-went');
});

test('only the return of the whole amount of a payment that succeeded refunds it', () => {
  const refunded = { kind: 'REFUNDED', intentStatus: 'SUCCEEDED' } as const;
  expect(decide(refunded)).toBe('refunded');
  expect(decide({ ...refunded, amountFits: false })).toBe('note');
  for (const intentStatus of ['CREATED', 'PROCESSING', 'FAILED', 'CLOSED', 'REFUNDED'] as const)
    expect(decide({ ...refunded, intentStatus })).toBe('note');
});
