/**
 * The demo provider: its page is a page of the shop, its notices are real ones. They are signed and posted over
 * HTTP to the shop's own webhook, and sent again until the shop has stored them, as a real provider does.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { mint } from '../../domain/index.ts';
import { signNotice } from './notice-signature.ts';
import type { PaymentProvider } from './provider.ts';

const MAX_TRIES = 5;
const FIRST_WAIT_MS = 200;
const TRY_LIMIT_MS = 5000;

/** The charge a notice is about. */
export interface DemoCharge {
  readonly intentId: string;
  readonly attempt: number;
  readonly amountMinor: number;
  readonly currency: string;
}

export interface NoticeDelivery {
  readonly eventId: string;
  readonly tries: number;
  /** The shop answered 2xx. */
  readonly delivered: boolean;
}

export interface DemoProvider extends PaymentProvider {
  pay(charge: DemoCharge): Promise<NoticeDelivery[]>;
  decline(charge: DemoCharge): Promise<NoticeDelivery[]>;
  /** The same charge succeeds under two event ids. */
  payTwice(charge: DemoCharge): Promise<NoticeDelivery[]>;
  payWrongAmount(charge: DemoCharge): Promise<NoticeDelivery[]>;
}

export interface DemoProviderOptions {
  readonly publicUrl: string;
  readonly webhookSecret: string;
  readonly firstWaitMs?: number;
}

export function createDemoProvider(options: DemoProviderOptions): DemoProvider {
  const base = options.publicUrl.replace(/\/+$/, '');
  const send = (
    type: 'payment.succeeded' | 'payment.failed',
    { intentId, attempt, amountMinor, currency }: DemoCharge,
  ) => {
    const id = `evt_${mint()}`;
    const body = { id, type, intentId, attempt, amountMinor, currency, createdAt: new Date().toISOString() };
    return deliver(`${base}/api/webhooks/payment`, options, id, Buffer.from(JSON.stringify(body)));
  };
  return {
    name: 'demo',
    payUrl: ({ intentId }) => `${base}/pay/${intentId}`,
    refund: async ({ refundId }) => ({ kind: 'succeeded', providerRef: `re_${refundId}` }),
    readRefund: async () => ({ kind: 'succeeded' }),
    pay: async (charge) => [await send('payment.succeeded', charge)],
    decline: async (charge) => [await send('payment.failed', charge)],
    payTwice: async (charge) => [await send('payment.succeeded', charge), await send('payment.succeeded', charge)],
    payWrongAmount: async (charge) => [
      await send('payment.succeeded', { ...charge, amountMinor: charge.amountMinor + 1 }),
    ],
  };
}

async function deliver(
  url: string,
  options: DemoProviderOptions,
  eventId: string,
  body: Buffer,
): Promise<NoticeDelivery> {
  for (let tries = 1; ; tries++) {
    const delivered = await post(url, options.webhookSecret, body);
    if (delivered || tries === MAX_TRIES) return { eventId, tries, delivered };
    await sleep((options.firstWaitMs ?? FIRST_WAIT_MS) * 2 ** (tries - 1) * (0.5 + Math.random()));
  }
}

/** Signed anew for each try, so that a late one is not too old. No answer counts as not delivered. */
async function post(url: string, secret: string, body: Buffer): Promise<boolean> {
  const signature = signNotice(body, [secret], Math.floor(Date.now() / 1000));
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: new Uint8Array(body),
      signal: AbortSignal.timeout(TRY_LIMIT_MS),
      headers: { 'content-type': 'application/json', 'payment-signature': signature },
    });
    await response.body?.cancel();
    return response.ok;
  } catch (error) {
    // A refused connection or a time-out: the next try may pass.
    if (error instanceof TypeError || error instanceof DOMException) return false;
    throw error;
  }
}
