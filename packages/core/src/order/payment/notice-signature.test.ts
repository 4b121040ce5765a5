import { expect, test } from 'vitest';
import { isSignedNotice, SIGNATURE_TOLERANCE_SECONDS, signNotice } from './notice-signature.ts';

const NOW = 1_800_000_000;
const CURRENT = 'current-webhook-secret-0123456789abcdef';
const PREVIOUS = 'previous-webhook-secret-0123456789abcde';
const body = Buffer.from('{"id":"evt_1","amountMinor":1999}');
const isSigned = (header: string | undefined, secrets = [CURRENT, PREVIOUS], bytes = body, now = NOW) =>
  isSignedNotice(bytes, header, secrets, now);

test('a notice signed with the current or the previous secret is accepted while they rotate', () => {
  expect(isSigned(signNotice(body, [CURRENT], NOW))).toBe(true);
  expect(isSigned(signNotice(body, [PREVIOUS], NOW))).toBe(true);
  expect(isSigned(signNotice(body, ['some-other-secret-0123456789abcdefghij', PREVIOUS], NOW))).toBe(true);
  expect(isSigned(signNotice(body, [PREVIOUS], NOW), [CURRENT])).toBe(false);
});

test('a changed byte of the body or the time breaks the signature', () => {
  const header = signNotice(body, [CURRENT], NOW);
  expect(isSigned(header, [CURRENT], Buffer.from('{"id":"evt_1","amountMinor":1998}'))).toBe(false);
  expect(isSigned(header.replace(`t=${NOW}`, `t=${NOW + 1}`))).toBe(false);
});

test('a signature holds for 300 s in both directions and not a second longer', () => {
  const header = signNotice(body, [CURRENT], NOW);
  for (const way of [1, -1]) {
    expect(isSigned(header, [CURRENT], body, NOW + way * SIGNATURE_TOLERANCE_SECONDS)).toBe(true);
    expect(isSigned(header, [CURRENT], body, NOW + way * (SIGNATURE_TOLERANCE_SECONDS + 1))).toBe(false);
  }
});

test('a missing, malformed or ambiguous header is refused', () => {
  const good = signNotice(body, [CURRENT], NOW);
  const v1 = good.split(',')[1] ?? '';
  for (const header of [
    undefined,
    '',
    't=',
    `t=${NOW}`,
    v1,
    `t=${NOW},v1=`,
    `t=${NOW},v1=zz`,
    `${good},t=${NOW}`,
    good.toUpperCase(),
    `t=${NOW},${Array.from({ length: 9 }, () => v1).join(',')}`,
    `t=1e9,${v1}`,
  ])
    expect(isSigned(header), String(header)).toBe(false);
});
