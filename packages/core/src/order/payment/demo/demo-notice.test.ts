import { expect, test } from 'vitest';
import { readDemoNotice } from './demo-notice.ts';

const fields = {
  id: 'evt_1',
  type: 'payment.succeeded',
  intentId: '01890a5d-ac96-774b-bcce-b302099a8057',
  attempt: 1,
  amountMinor: 1999,
  currency: 'EUR',
  createdAt: '2026-11-30T12:00:00Z',
};
const parse = (changes: Record<string, unknown>) =>
  readDemoNotice(Buffer.from(JSON.stringify({ ...fields, ...changes })));

test('a well-formed notice is read as it was sent', () => {
  expect(parse({})).toMatchObject({
    eventId: 'evt_1',
    kind: 'SUCCEEDED',
    intentId: fields.intentId,
    attempt: 1,
    amountMinor: 1999,
    currency: 'EUR',
    payload: fields,
  });
});

test('C53 – an amount that is text, negative, zero, a fraction or absent is kept as sent and counts as no amount', () => {
  for (const amountMinor of ['179940', -179940, 0, 19.99, 1e300, null, {}, [1999], true])
    expect(parse({ amountMinor })?.amountMinor, JSON.stringify(amountMinor)).toBeNull();
  expect(parse({ amountMinor: '179940' })?.payload.amountMinor).toBe('179940');
  expect(parse({ amountMinor: { a: [1] } })?.payload.amountMinor).toBe('{"a":[1]}');
  for (const currency of ['eur', 'EURO', 978, null]) expect(parse({ currency })?.currency).toBeNull();
});

test('text that the database cannot hold is replaced, not refused', () => {
  expect(parse({ amountMinor: 'a\0b\ud800' })?.payload.amountMinor).toBe('a\ufffdb\ufffd');
});

test('a notice that does not say what it is about is refused', () => {
  for (const changes of [
    { id: '' },
    { id: 7 },
    { id: 'a b' },
    { type: 'payment.forgotten' },
    { type: null },
    { intentId: '' },
    { intentId: 'x'.repeat(201) },
    { attempt: 0 },
    { attempt: '1' },
    { attempt: 1.5 },
    { createdAt: 'yesterday' },
  ])
    expect(parse(changes), JSON.stringify(changes)).toBeUndefined();
  for (const raw of ['', '{', '[]', 'null', '"x"', '\ufeff'])
    expect(readDemoNotice(Buffer.from(raw)), raw).toBeUndefined();
  expect(readDemoNotice(Buffer.from([0xff, 0xfe, 0x7b]))).toBeUndefined();
});

test('a reference that is none of our ids is kept as text', () => {
  expect(parse({ intentId: 'pi_foreign' })).toMatchObject({ intentRef: 'pi_foreign', intentId: null });
});
