/** The parts of Stripe's objects that are read here, as its API reference documents them. */
import { z } from 'zod';

const amount = z.number().int().min(0);
const metadata = z.record(z.string(), z.string()).default({});
/** An id, or the object itself when the call asked for it. */
const reference = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).nullish();

export const paymentIntent = z.object({
  id: z.string(),
  object: z.literal('payment_intent'),
  amount,
  amount_received: amount.default(0),
  currency: z.string(),
  status: z.enum([
    'requires_payment_method',
    'requires_confirmation',
    'requires_action',
    'requires_capture',
    'processing',
    'succeeded',
    'canceled',
  ]),
  client_secret: z.string().nullish(),
  latest_charge: reference,
  metadata,
});
export type StripeIntent = z.infer<typeof paymentIntent>;

export const charge = z.object({
  id: z.string(),
  object: z.literal('charge'),
  amount,
  amount_captured: amount.default(0),
  amount_refunded: amount.default(0),
  currency: z.string(),
  status: z.enum(['succeeded', 'pending', 'failed']),
  refunded: z.boolean().default(false),
  created: z.number().int(),
  payment_intent: reference,
  metadata,
});

export const chargeList = z.object({ object: z.literal('list'), data: z.array(charge) });

export const refund = z.object({
  id: z.string(),
  object: z.literal('refund'),
  status: z.enum(['pending', 'requires_action', 'succeeded', 'failed', 'canceled']),
  failure_reason: z.string().nullish(),
});

export const event = z.object({
  id: z.string().regex(/^[\x21-\x7e]{1,180}$/),
  object: z.literal('event'),
  type: z.string(),
  created: z.number().int(),
  data: z.object({ object: z.unknown() }),
});

/** Written by openIntent into an intent's metadata; charges and events carry it along. */
export function attemptOf(of: Readonly<Record<string, string>>): number {
  const attempt = Number(of.attempt ?? 1);
  return Number.isSafeInteger(attempt) && attempt >= 1 && attempt <= 1_000_000 ? attempt : 1;
}
