/**
 * Stripe's events in the shop's own words. An event that says nothing about a payment is `ignored`; a charge that was
 * refunded in part is, too: refunds of ours are followed by their own calls.
 */
import { UUID_PATTERN } from '../../../domain/index.ts';
import { amountOrNull, currencyOrNull, type Notice, type NoticeKind, parseJson } from '../notice.ts';
import { attemptOf, charge, event, paymentIntent } from './stripe-shapes.ts';

const KINDS: Readonly<Record<string, NoticeKind>> = {
  'payment_intent.created': 'CREATED',
  'payment_intent.processing': 'PROCESSING',
  'payment_intent.succeeded': 'SUCCEEDED',
  'payment_intent.payment_failed': 'FAILED',
};

export function readStripeNotice(rawBody: Buffer): Notice | 'ignored' | undefined {
  const parsed = event.safeParse(parseJson(rawBody));
  if (!parsed.success) return undefined;
  const { id, type, created, data } = parsed.data;
  const about = { id, type, created };
  if (type === 'charge.refunded') return readRefunded(about, data.object);
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
  if (!kind) return 'ignored';
  const intent = paymentIntent.safeParse(data.object);
  if (!intent.success) return undefined;
  const { id: intentRef, latest_charge, metadata, currency } = intent.data;
  const amountMinor = kind === 'SUCCEEDED' ? intent.data.amount_received : intent.data.amount;
  return noticeOf(about, { kind, intentRef, chargeRef: latest_charge ?? null, metadata, amountMinor, currency });
}

interface About {
  readonly id: string;
  readonly type: string;
  readonly created: number;
}

function readRefunded(about: About, object: unknown): Notice | 'ignored' | undefined {
  const parsed = charge.safeParse(object);
  if (!parsed.success) return undefined;
  const { id: chargeRef, payment_intent: intentRef, refunded, metadata, amount: amountMinor, currency } = parsed.data;
  if (!refunded || !intentRef) return 'ignored';
  return noticeOf(about, { kind: 'REFUNDED', intentRef, chargeRef, metadata, amountMinor, currency });
}

interface Told {
  readonly kind: NoticeKind;
  readonly intentRef: string;
  readonly chargeRef: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly amountMinor: number;
  readonly currency: string;
}

function noticeOf({ id, type, created }: About, told: Told): Notice {
  const { kind, intentRef, chargeRef, metadata } = told;
  const intentId = metadata.intent_id ?? '';
  const currency = told.currency.toUpperCase();
  return {
    eventId: id,
    kind,
    intentRef,
    intentId: UUID_PATTERN.test(intentId) ? intentId : null,
    chargeRef,
    attempt: attemptOf(metadata),
    amountMinor: amountOrNull(told.amountMinor),
    currency: currencyOrNull(currency),
    payload: { id, type, created, intentRef, chargeRef, intentId, amountMinor: told.amountMinor, currency },
  };
}
