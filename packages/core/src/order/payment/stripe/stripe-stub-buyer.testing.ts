/** A buyer in front of the stub: pays or is declined, and the signed event that Stripe would send. */
import { mint } from '../../../domain/index.ts';
import { signNotice } from '../notice-signature.ts';
import type { StripeStub } from './stripe-stub.testing.ts';
import { showCharge, showIntent } from './stripe-stub-books.testing.ts';

export interface SignedEvent {
  readonly rawBody: Buffer;
  readonly signature: string;
}

export function buyAtStub(stub: StripeStub, secret: string, intentRef: string, does: 'pay' | 'decline'): SignedEvent {
  const intent = stub.books.intents.get(intentRef);
  if (!intent) throw new Error(`no intent ${intentRef}`);
  const paid = does === 'pay';
  const charge = {
    id: `ch_${mint().replaceAll('-', '')}`,
    payment_intent: intentRef,
    amount: intent.amount,
    currency: intent.currency,
    status: paid ? ('succeeded' as const) : ('failed' as const),
    created: Math.floor(Date.now() / 1000),
    metadata: { ...intent.metadata },
    amount_refunded: 0,
  };
  stub.books.charges.push(charge);
  intent.latest_charge = charge.id;
  if (paid) Object.assign(intent, { status: 'succeeded', amount_received: intent.amount });
  return signEvent(secret, paid ? 'payment_intent.succeeded' : 'payment_intent.payment_failed', showIntent(intent));
}

/** The whole charge is given back by hand in Stripe's dashboard. */
export function refundByHand(stub: StripeStub, secret: string, intentRef: string): SignedEvent {
  const charge = stub.books.charges.find((one) => one.payment_intent === intentRef && one.status === 'succeeded');
  if (!charge) throw new Error(`no charge of ${intentRef}`);
  charge.amount_refunded = charge.amount;
  return signEvent(secret, 'charge.refunded', showCharge(charge));
}

export function signEvent(secret: string, type: string, object: object): SignedEvent {
  const created = Math.floor(Date.now() / 1000);
  const event = { id: `evt_${mint().replaceAll('-', '')}`, object: 'event', api_version: '2024-06-20', created, type };
  const rawBody = Buffer.from(JSON.stringify({ ...event, livemode: false, data: { object } }, null, 2));
  return { rawBody, signature: signNotice(rawBody, [secret], created) };
}
