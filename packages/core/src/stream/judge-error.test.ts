import { expect, test } from 'vitest';
import { isOutage, mayPass } from './judge-error.ts';

const coded = (code: string) => Object.assign(new Error('x'), { code });

test('An outage of a server is never a message’s fault', () => {
  for (const code of ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', '57P01', '08006', '53300'])
    expect(isOutage(coded(code))).toBe(true);
  for (const text of [
    'Connection terminated unexpectedly',
    'Query read timeout',
    'timeout exceeded when trying to connect',
  ])
    expect(isOutage(new Error(text))).toBe(true);
});

test('P33 – A transaction of ours that the server ended for its length is tried five times: no outage, and it may pass', () => {
  for (const code of ['25P03', '25P04']) expect([isOutage(coded(code)), mayPass(coded(code))]).toEqual([false, true]);
});

test('A broken handler or a bad message is not taken for an outage, or it would block its partition for ever', () => {
  for (const code of ['23514', '23505', '22P02', 'ERR_INVALID_ARG_TYPE', '40001'])
    expect(isOutage(coded(code))).toBe(false);
  expect(isOutage(new TypeError('cannot read the connection of undefined'))).toBe(false);
  expect(isOutage(new Error('stock change met 0 of 1 rows'))).toBe(false);
  expect(isOutage('text')).toBe(false);
});

test('A transaction that the server ended for taking too long is no outage, and may pass next time (P33)', () => {
  for (const code of ['25P03', '25P04']) {
    expect(isOutage(coded(code))).toBe(false);
    expect(mayPass(coded(code))).toBe(true);
  }
});
