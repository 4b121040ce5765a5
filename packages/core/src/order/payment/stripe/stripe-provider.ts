/**
 * Stripe PaymentIntents behind the port. One intent of ours is one PaymentIntent for all its attempts; the attempt and
 * the deadline travel in its metadata. Every call that moves money carries an idempotency key of ours.
 */
import type { z } from 'zod';
import type {
  OpenIntent,
  OpenOutcome,
  PaymentProvider,
  RefundOrder,
  RefundOutcome,
  RefundReading,
} from '../provider.ts';
import { readStripeIntent } from './read-stripe-intent.ts';
import { callStripe, type StripeAnswer, type StripeOptions } from './stripe-call.ts';
import { readStripeNotice } from './stripe-notice.ts';
import { paymentIntent, refund as refundShape } from './stripe-shapes.ts';

export function createStripeProvider(options: StripeOptions): PaymentProvider {
  return {
    name: 'stripe',
    signatureHeader: 'stripe-signature',
    readNotice: readStripeNotice,
    openIntent: (intent) => openIntent(options, intent),
    refund: (order) => sendRefund(options, order),
    readRefund: ({ providerRef }) => readRefund(options, providerRef),
    readIntent: (intentRef) => readStripeIntent(options, intentRef),
  };
}

/** Made with what never changes, so that a repeat under the same key is the same request; then brought up to date. */
async function openIntent(options: StripeOptions, intent: OpenIntent): Promise<OpenOutcome> {
  let ref = intent.providerRef;
  if (ref === null) {
    const made = await callStripe(options, {
      path: '/v1/payment_intents',
      idempotencyKey: `intent-${intent.intentId}`,
      form: {
        amount: String(intent.amountMinor),
        currency: intent.currency.toLowerCase(),
        'automatic_payment_methods[enabled]': 'true',
        'metadata[intent_id]': intent.intentId,
      },
    });
    const parsed = parse(paymentIntent, made);
    if (parsed.kind !== 'ok') return parsed;
    ref = parsed.value.id;
  }
  const updated = await callStripe(options, {
    path: `/v1/payment_intents/${encodeURIComponent(ref)}`,
    form: { 'metadata[attempt]': String(intent.attempt), 'metadata[pay_until]': intent.payUntil },
  });
  const parsed = parse(paymentIntent, updated);
  if (parsed.kind !== 'ok') return parsed;
  const { id, client_secret, status } = parsed.value;
  if (status === 'canceled' || !client_secret) return { kind: 'refused', reason: `the payment intent is ${status}` };
  const payUrl = new URL(options.payPageUrl);
  payUrl.searchParams.set('payment_intent', id);
  payUrl.searchParams.set('payment_intent_client_secret', client_secret);
  return { kind: 'opened', intentRef: id, payUrl: payUrl.href };
}

async function sendRefund(options: StripeOptions, order: RefundOrder): Promise<RefundOutcome> {
  const answer = await callStripe(options, {
    path: '/v1/refunds',
    idempotencyKey: `refund-${order.refundId}`,
    form: {
      payment_intent: order.intentRef,
      amount: String(order.amountMinor),
      'metadata[refund_id]': order.refundId,
    },
  });
  const parsed = parse(refundShape, answer);
  if (parsed.kind !== 'ok') return parsed;
  const { id, status, failure_reason } = parsed.value;
  const kind = stateOf(status);
  return kind === 'refused' ? { kind, reason: failure_reason ?? status } : { kind, providerRef: id };
}

async function readRefund(options: StripeOptions, providerRef: string): Promise<RefundReading> {
  const answer = await callStripe(options, { path: `/v1/refunds/${encodeURIComponent(providerRef)}` });
  if (answer.kind === 'error') return { kind: answer.status === 404 ? 'not-found' : 'unknown' };
  const parsed = parse(refundShape, answer);
  return { kind: parsed.kind === 'ok' ? stateOf(parsed.value.status) : 'unknown' };
}

function stateOf(status: z.infer<typeof refundShape>['status']): 'accepted' | 'succeeded' | 'refused' {
  switch (status) {
    case 'succeeded':
      return 'succeeded';
    case 'pending':
    case 'requires_action':
      return 'accepted';
    case 'failed':
    case 'canceled':
      return 'refused';
  }
}

type Parsed<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown' };

/** An answer of another form than documented tells nothing. */
function parse<T>(shape: z.ZodType<T>, answer: StripeAnswer): Parsed<T> {
  if (answer.kind === 'unknown') return answer;
  if (answer.kind === 'error') return { kind: 'refused', reason: answer.message };
  const parsed = shape.safeParse(answer.body);
  return parsed.success ? { kind: 'ok', value: parsed.data } : { kind: 'unknown' };
}
