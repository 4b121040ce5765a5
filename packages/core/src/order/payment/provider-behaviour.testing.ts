/** The one behaviour suite of the port: whatever stands behind it, the shop may rely on this. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mint } from '../../domain/index.ts';
import type { Notice } from './notice.ts';
import { isSignedNotice } from './notice-signature.ts';
import type { OpenIntent, PaymentProvider } from './provider.ts';

/** A provider with a buyer in front of it. */
export interface ProviderBench {
  readonly provider: PaymentProvider;
  readonly secret: string;
  /** The buyer pays or is declined at the provider; the notice that it then sends. */
  buyer(intentRef: string, does: 'pay' | 'decline'): Promise<{ readonly rawBody: Buffer; readonly signature: string }>;
  /** A provider of which no answer comes back. */
  readonly mute: PaymentProvider;
  /** The provider's own note of the time to pay. */
  deadline(intentRef: string): Promise<string>;
  close(): Promise<void>;
}

export function describeProvider(name: string, open: () => Promise<ProviderBench>): void {
  describe(`payment provider ${name}`, () => {
    let bench: ProviderBench | undefined;
    beforeAll(async () => {
      bench = await open();
    });
    afterAll(() => bench?.close());
    const at = () => {
      if (!bench) throw new Error('the provider is not open yet');
      return bench;
    };
    for (const part of [testOpening, testPaying, testRefunds, testUnknown]) part(at);
  });
}

type At = () => ProviderBench;

const payUntil = (minutes: number) => new Date(1_900_000_000_000 + minutes * 60_000).toISOString();

function intentOf(changes: Partial<OpenIntent> = {}): OpenIntent {
  return {
    ...{ intentId: mint(), attempt: 1, amountMinor: 1999, currency: 'EUR', payUntil: payUntil(0), providerRef: null },
    ...changes,
  };
}

async function openNew({ provider }: ProviderBench, intent: OpenIntent) {
  const outcome = await provider.openIntent(intent);
  if (outcome.kind !== 'opened') throw new Error(`not opened: ${outcome.kind}`);
  return outcome;
}

async function act(bench: ProviderBench, intentRef: string, does: 'pay' | 'decline'): Promise<Notice> {
  const { rawBody, signature } = await bench.buyer(intentRef, does);
  expect(isSignedNotice(rawBody, signature, [bench.secret], Date.now() / 1000)).toBe(true);
  const notice = bench.provider.readNotice(rawBody);
  if (!notice || notice === 'ignored') throw new Error('the notice cannot be read');
  return notice;
}

function testOpening(at: At): void {
  test('an intent is opened once, however often it is asked for', async () => {
    const intent = intentOf();
    const first = await openNew(at(), intent);
    expect(await openNew(at(), intent)).toEqual(first);
    expect(await openNew(at(), { ...intent, providerRef: first.intentRef })).toEqual(first);
    expect(await at().provider.openIntent({ ...intent, amountMinor: 2000 })).toMatchObject({ kind: 'refused' });
    expect(await at().provider.readIntent(first.intentRef)).toMatchObject({
      ...{ kind: 'read', status: 'OPEN', amountMinor: 1999, currency: 'EUR', receivedMinor: 0, charges: [] },
    });
  });

  test('P40 – opening it again moves its time to pay', async () => {
    const intent = intentOf();
    const { intentRef } = await openNew(at(), intent);
    expect(await at().deadline(intentRef)).toBe(payUntil(0));
    await openNew(at(), { ...intent, providerRef: intentRef, payUntil: payUntil(5) });
    expect(await at().deadline(intentRef)).toBe(payUntil(5));
  });
}

function testPaying(at: At): void {
  test('a payment is told by a signed notice of one charge, and can be read as well', async () => {
    const intent = intentOf();
    const { intentRef } = await openNew(at(), intent);
    const notice = await act(at(), intentRef, 'pay');
    expect(notice).toMatchObject({
      ...{ kind: 'SUCCEEDED', intentRef, intentId: intent.intentId, attempt: 1, amountMinor: 1999, currency: 'EUR' },
    });
    expect(await at().provider.readIntent(intentRef)).toMatchObject({
      ...{ status: 'SUCCEEDED', receivedMinor: 1999, refundedMinor: 0 },
      charges: [{ chargeRef: notice.chargeRef, attempt: 1, amountMinor: 1999, currency: 'EUR' }],
    });
  });

  test('C21 – three declines and a success on one intent each name their attempt', async () => {
    let intent = intentOf();
    for (const attempt of [1, 2, 3]) {
      const { intentRef } = await openNew(at(), { ...intent, attempt });
      intent = { ...intent, providerRef: intentRef };
      expect(await act(at(), intentRef, 'decline')).toMatchObject({ kind: 'FAILED', attempt, intentRef });
    }
    const { intentRef } = await openNew(at(), { ...intent, attempt: 4 });
    expect(await act(at(), intentRef, 'pay')).toMatchObject({ kind: 'SUCCEEDED', attempt: 4 });
    expect(await at().provider.readIntent(intentRef)).toMatchObject({ receivedMinor: 1999 });
  });
}

function testRefunds(at: At): void {
  test('a refund happens once an id, however often and in parallel it is sent', async () => {
    const { intentRef } = await openNew(at(), intentOf());
    await act(at(), intentRef, 'pay');
    const order = { refundId: mint(), intentRef, amountMinor: 500, currency: 'EUR' };
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => at().provider.refund(order)));
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    const [outcome] = outcomes;
    if (outcome?.kind !== 'succeeded') throw new Error(`not refunded: ${outcome?.kind}`);
    expect(await at().provider.readRefund(outcome)).toEqual({ kind: 'succeeded' });
    expect(await at().provider.readIntent(intentRef)).toMatchObject({ receivedMinor: 1999, refundedMinor: 500 });
  });

  test('never more is given back than was taken', async () => {
    const { intentRef } = await openNew(at(), intentOf());
    const refund = (amountMinor: number) =>
      at().provider.refund({ refundId: mint(), intentRef, amountMinor, currency: 'EUR' });
    expect(await refund(1)).toMatchObject({ kind: 'refused' });
    await act(at(), intentRef, 'pay');
    expect(await refund(2000)).toMatchObject({ kind: 'refused' });
    expect(await refund(1000)).toMatchObject({ kind: 'succeeded' });
    expect(await refund(1000)).toMatchObject({ kind: 'refused' });
    expect(await refund(999)).toMatchObject({ kind: 'succeeded' });
    expect(await at().provider.readIntent(intentRef)).toMatchObject({ refundedMinor: 1999 });
  });
}

function testUnknown(at: At): void {
  test('P15 – a lost answer is unknown, and asking again under the same id pays back once', async () => {
    const intent = intentOf();
    expect(await at().mute.openIntent(intent)).toEqual({ kind: 'unknown' });
    const { intentRef } = await openNew(at(), intent);
    await act(at(), intentRef, 'pay');
    const order = { refundId: mint(), intentRef, amountMinor: 1999, currency: 'EUR' };
    expect(await at().mute.refund(order)).toEqual({ kind: 'unknown' });
    expect(await at().mute.readIntent(intentRef)).toEqual({ kind: 'unknown' });
    expect(await at().mute.readRefund({ providerRef: `re_${mint()}` })).toEqual({ kind: 'unknown' });
    expect(await at().provider.refund(order)).toMatchObject({ kind: 'succeeded' });
    expect(await at().provider.readIntent(intentRef)).toMatchObject({ refundedMinor: 1999 });
  });

  test('what was never opened is not found, and cannot be refunded', async () => {
    expect(await at().provider.readIntent(mint())).toEqual({ kind: 'not-found' });
    expect(await at().provider.readRefund({ providerRef: `re_${mint()}` })).toEqual({ kind: 'not-found' });
    const order = { refundId: mint(), intentRef: mint(), amountMinor: 1, currency: 'EUR' };
    expect(await at().provider.refund(order)).toMatchObject({ kind: 'refused' });
  });

  test('a body that is no notice is not taken for one', () => {
    for (const body of ['', '{', '[]', '{}', '{"id":"evt_1","object":"event"}'])
      expect(at().provider.readNotice(Buffer.from(body)), body).toBeUndefined();
  });
}
