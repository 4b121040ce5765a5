import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { mint } from '../../../domain/index.ts';
import { type LateMoneyDesk, openLateMoneyDesk, type PlacedOrder } from '../late/late-money-desk.testing.ts';
import { openIncidents, SECRET } from '../payment-desk.testing.ts';
import { type ReceiveNoticeDeps, receiveNotice } from '../receive-notice.ts';
import { startPayment } from '../start-payment.ts';
import { createStripeProvider } from './stripe-provider.ts';
import { type StripeStub, startStripeStub } from './stripe-stub.testing.ts';
import { buyAtStub, refundByHand, type SignedEvent, signEvent } from './stripe-stub-buyer.testing.ts';

const secretKey = 'sk_test_0123456789';
let desk: LateMoneyDesk;
let stub: StripeStub;
let deps: LateMoneyDesk['deps'] & ReceiveNoticeDeps;
beforeAll(async () => {
  [desk, stub] = await Promise.all([openLateMoneyDesk('stripe'), startStripeStub(secretKey)]);
  const provider = createStripeProvider({ apiUrl: stub.url, secretKey, payPageUrl: 'https://pay.example/form' });
  deps = { ...desk.deps, provider };
  await desk.stock('K', 20);
});
afterEach(() => {
  stub.answers.length = 0;
  stub.loseReplies = 0;
});
afterAll(async () => {
  stub.close();
  await desk.close();
});

async function begin(): Promise<{ order: PlacedOrder; pi: string; payUrl: string }> {
  const order = await desk.place([{ skuId: 'K', quantity: 1 }]);
  const started = await startPayment(deps, order);
  if (started.kind !== 'started') throw new Error(`not started: ${started.code}`);
  return { order, payUrl: started.payUrl, pi: new URL(started.payUrl).searchParams.get('payment_intent') ?? '' };
}
const notify = ({ rawBody, signature }: SignedEvent) => receiveNotice(deps, { rawBody, signature });

test('an order is paid through Stripe: the page gets the client secret, the event confirms the order once', async () => {
  const { order, pi, payUrl } = await begin();
  expect(payUrl).toBe(`https://pay.example/form?payment_intent=${pi}&payment_intent_client_secret=${pi}_secret_stub`);
  expect(stub.books.intents.get(pi)).toMatchObject({
    amount: 1999,
    currency: 'eur',
    metadata: { intent_id: order.intentId },
  });
  const event = buyAtStub(stub, SECRET, pi, 'pay');
  expect(await notify(event)).toMatchObject({ kind: 'stored', verdict: 'PAID' });
  expect(await notify(event)).toMatchObject({ kind: 'stored', verdict: 'PAID' });
  await desk.settle();
  expect(await desk.books(order)).toMatchObject({ trade: 'PAID', rows: ['CONFIRMED'], late: [] });
  for (const { headers } of stub.seen) expect(headers['stripe-version']).toBe('2024-06-20');
});

test('an event that does not carry our id is matched by the name that Stripe gave the payment', async () => {
  const { order, pi } = await begin();
  delete stub.books.intents.get(pi)?.metadata.intent_id;
  expect(await notify(buyAtStub(stub, SECRET, pi, 'pay'))).toMatchObject({ verdict: 'PAID' });
  await desk.settle();
  expect(await desk.books(order)).toMatchObject({ trade: 'PAID' });
});

test('events about other things are answered and not stored; a wrong signature is refused', async () => {
  const event = signEvent(SECRET, 'customer.created', { id: 'cus_1', object: 'customer' });
  expect(await notify(event)).toEqual({ kind: 'ignored' });
  expect(await notify(signEvent('another-secret-0123456789-0123456789', 'payment_intent.succeeded', {}))).toEqual({
    kind: 'bad-signature',
  });
});

test('a charge that was given back in the dashboard refunds the payment and tells a person', async () => {
  const { order, pi } = await begin();
  await notify(buyAtStub(stub, SECRET, pi, 'pay'));
  await desk.settle();
  expect(await notify(refundByHand(stub, SECRET, pi))).toMatchObject({ verdict: 'REFUNDED' });
  expect(await desk.books(order)).toMatchObject({ trade: 'PAID', intent: 'REFUNDED' });
  expect(await openIncidents(desk.pool, order.intentId)).toEqual(['PAYMENT_DIFFERS']);
});

test('with Stripe away a payment does not start, says so, and starts under the same intent later', async () => {
  const order = await desk.place([{ skuId: 'K', quantity: 1 }]);
  stub.loseReplies = 1;
  expect(await startPayment(deps, order)).toMatchObject({ kind: 'refused', code: 'PROVIDER_AWAY' });
  expect(await startPayment(deps, order)).toMatchObject({ kind: 'started', attempt: 1 });
  const made = [...stub.books.intents.values()].filter(({ metadata }) => metadata.intent_id === order.intentId);
  expect(made).toHaveLength(1);
});

test.each([
  [500, '{"error":{"message":"An unknown error occurred"}}', 'unknown'],
  [503, 'upstream connect error', 'unknown'],
  [409, '{"error":{"code":"idempotency_key_in_use"}}', 'unknown'],
  [429, '{"error":{"code":"rate_limit"}}', 'unknown'],
  [200, '{"object":"something_else"}', 'unknown'],
  [200, '<html>', 'unknown'],
  [400, '{"error":{"message":"Charge has already been refunded."}}', 'refused'],
  [402, '{"error":{"code":"insufficient_funds"}}', 'refused'],
  [200, '{"id":"re_1","object":"refund","status":"pending"}', 'accepted'],
  [200, '{"id":"re_1","object":"refund","status":"failed","failure_reason":"lost_or_stolen_card"}', 'refused'],
  [200, '{"id":"re_1","object":"refund","status":"succeeded"}', 'succeeded'],
] as const)('P15 – what an answer to a refund says: %i %s is %s', async (status, body, kind) => {
  stub.answers.push({ status, body });
  const order = { refundId: mint(), intentRef: 'pi_1', amountMinor: 1, currency: 'EUR' };
  expect(await deps.provider.refund(order)).toMatchObject({ kind });
});
