/**
 * The demo provider: a payment provider with books of its own (schema demo_provider), a page of its own among the
 * shop's, and notices that are real ones. The shop reaches it through the port, as it reaches any other.
 */
import { classifyDatabaseError, inTransaction, isDatabaseError, type Pool } from '../../../platform/index.ts';
import type { PaymentProvider } from '../provider.ts';
import { type NewCharge, storeCharge } from './charges.ts';
import { deliverDue, type NoticeDelivery } from './deliver-notices.ts';
import { readDemoNotice } from './demo-notice.ts';
import { findIntent, keepIntent, readDemoIntent } from './intents.ts';
import { readDemoRefund, refundAtDemo } from './refunds.ts';

/** What a buyer can do on its page. */
export type DemoAction = 'pay' | 'decline' | 'pay-late' | 'pay-twice' | 'pay-wrong-amount';

export interface DemoProvider extends PaymentProvider {
  /** Stores what the buyer did and tries once to tell the shop; undefined when the intent was never opened. */
  act(action: DemoAction, intentRef: string): Promise<readonly NoticeDelivery[] | undefined>;
  /** Tries again for notices that are due; job demo-provider.deliver. */
  deliver(options: { readonly limit: number }): Promise<readonly NoticeDelivery[]>;
}

export interface DemoProviderOptions {
  readonly pool: Pool;
  readonly publicUrl: string;
  readonly webhookSecret: string;
  readonly firstWaitMs?: number;
}

const SIGNATURE_HEADER = 'payment-signature';

export function createDemoProvider(options: DemoProviderOptions): DemoProvider {
  const { pool } = options;
  const base = options.publicUrl.replace(/\/+$/, '');
  const delivery = { ...options, webhookUrl: `${base}/api/webhooks/payment`, signatureHeader: SIGNATURE_HEADER };
  return {
    name: 'demo',
    signatureHeader: SIGNATURE_HEADER,
    readNotice: readDemoNotice,
    openIntent: (intent) =>
      orUnknown(async () =>
        (await keepIntent(pool, intent)) === 'kept'
          ? { kind: 'opened', intentRef: intent.intentId, payUrl: `${base}/pay/${intent.intentId}` }
          : { kind: 'refused', reason: 'this payment was opened with another amount' },
      ),
    refund: (order) => orUnknown(() => refundAtDemo(pool, order)),
    readRefund: ({ providerRef }) => orUnknown(() => readDemoRefund(pool, providerRef)),
    readIntent: (intentRef) => orUnknown(() => readDemoIntent(pool, intentRef)),
    deliver: ({ limit }) => deliverDue(delivery, { limit }),
    async act(action, intentRef) {
      const intent = await findIntent(pool, intentRef);
      if (!intent) return undefined;
      const stored = await inTransaction(pool, async (tx) => {
        const eventIds: string[] = [];
        for (const charge of chargesOf(action, intent.amountMinor))
          eventIds.push(await storeCharge(tx, intent, charge));
        return eventIds;
      });
      const tried = await deliverDue(delivery, { limit: stored.length, only: stored });
      return stored.map(
        (eventId) => tried.find((one) => one.eventId === eventId) ?? { eventId, tries: 0, delivered: false },
      );
    },
  };
}

function chargesOf(action: DemoAction, amountMinor: number): NewCharge[] {
  const exact: NewCharge = { status: 'SUCCEEDED', amountMinor };
  switch (action) {
    case 'pay':
      return [exact];
    case 'decline':
      return [{ status: 'FAILED', amountMinor }];
    case 'pay-late':
      return [{ ...exact, held: true }];
    case 'pay-twice':
      return [exact, exact];
    case 'pay-wrong-amount':
      return [{ ...exact, amountMinor: amountMinor + 1 }];
  }
}

/** It lives in the shop's own database; a database that is away is a provider that is away. */
async function orUnknown<T>(work: () => Promise<T>): Promise<T | { readonly kind: 'unknown' }> {
  try {
    return await work();
  } catch (error) {
    if (!isDatabaseError(error) || classifyDatabaseError(error) === 'fault') throw error;
    return { kind: 'unknown' };
  }
}
