/** What Stripe knows of one PaymentIntent: its state, and the money that moved for it. Reads only. */
import type { IntentReading } from '../provider.ts';
import { callStripe, type StripeOptions } from './stripe-call.ts';
import { attemptOf, chargeList, paymentIntent, type StripeIntent } from './stripe-shapes.ts';

/** An intent succeeds once, so its charges are few: the failed tries and that one. */
const MAX_CHARGES = 100;

const STATES: Record<StripeIntent['status'], Extract<IntentReading, { kind: 'read' }>['status']> = {
  requires_payment_method: 'OPEN',
  requires_confirmation: 'OPEN',
  requires_action: 'OPEN',
  requires_capture: 'PROCESSING',
  processing: 'PROCESSING',
  succeeded: 'SUCCEEDED',
  canceled: 'CLOSED',
};

export async function readStripeIntent(options: StripeOptions, intentRef: string): Promise<IntentReading> {
  const ref = encodeURIComponent(intentRef);
  const answer = await callStripe(options, { path: `/v1/payment_intents/${ref}` });
  if (answer.kind === 'error' && answer.status === 404) return { kind: 'not-found' };
  if (answer.kind !== 'ok') return { kind: 'unknown' };
  const intent = paymentIntent.safeParse(answer.body);
  const listed = await callStripe(options, { path: `/v1/charges?payment_intent=${ref}&limit=${MAX_CHARGES}` });
  const charges = chargeList.safeParse(listed.kind === 'ok' ? listed.body : undefined);
  if (!intent.success || !charges.success) return { kind: 'unknown' };
  const succeeded = charges.data.data.filter(({ status }) => status === 'succeeded');
  return {
    kind: 'read',
    status: STATES[intent.data.status],
    amountMinor: intent.data.amount,
    currency: intent.data.currency.toUpperCase(),
    receivedMinor: succeeded.reduce((sum, one) => sum + one.amount_captured, 0),
    refundedMinor: succeeded.reduce((sum, one) => sum + one.amount_refunded, 0),
    charges: succeeded.map((one) => ({
      chargeRef: one.id,
      attempt: attemptOf(one.metadata),
      amountMinor: one.amount_captured,
      currency: one.currency.toUpperCase(),
      createdAt: new Date(one.created * 1000).toISOString(),
    })),
  };
}
