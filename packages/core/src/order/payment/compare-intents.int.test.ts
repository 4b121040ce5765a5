import { afterAll, beforeAll, expect, test } from 'vitest';
import { mint } from '../../domain/index.ts';
import { setClockOffset } from '../../testing/clock.ts';
import { sendRefunds } from '../refund/send-refunds.ts';
import { compareIntents } from './compare-intents.ts';
import { createDemoProvider, type DemoProvider } from './demo/demo-provider.ts';
import { type LateMoneyDesk, openLateMoneyDesk, type PlacedOrder } from './late/late-money-desk.testing.ts';
import { openIncidents, SECRET, setPayUntil } from './payment-desk.testing.ts';
import type { ReceiveNoticeDeps } from './receive-notice.ts';
import { startPayment } from './start-payment.ts';
import { startWebhook, type WebhookServer } from './webhook-server.testing.ts';

let desk: LateMoneyDesk;
let webhook: WebhookServer;
let provider: DemoProvider;
let deps: LateMoneyDesk['deps'] & ReceiveNoticeDeps;
beforeAll(async () => {
  desk = await openLateMoneyDesk('compare');
  webhook = await startWebhook(() => deps);
  provider = createDemoProvider({ pool: desk.pool, publicUrl: webhook.url, webhookSecret: SECRET });
  deps = { ...desk.deps, provider };
});
afterAll(async () => {
  webhook.close();
  await desk.close();
});

async function begin(skuId: string): Promise<PlacedOrder> {
  const order = await desk.place([{ skuId, quantity: 1 }]);
  expect(await startPayment(deps, order)).toMatchObject({ kind: 'started' });
  return order;
}
const compare = () => compareIntents(deps, { limit: 1000 });
const seen = async (order: PlacedOrder) => {
  const reading = await provider.readIntent(order.intentId);
  return reading.kind === 'read' ? [reading.receivedMinor, reading.refundedMinor] : reading.kind;
};

test('a success that never reached the shop is fetched and pays the order; its notice that comes later adds nothing', async () => {
  await desk.stock('missed', 3);
  const order = await begin('missed');
  expect(await compare()).toMatchObject({ fetched: 0, differing: 0, failed: 0 });
  webhook.open = false;
  await provider.act('pay', order.intentId);
  webhook.open = true;
  expect(await compare()).toMatchObject({ fetched: 1, differing: 0 });
  await desk.settle();
  expect(await desk.books(order)).toMatchObject({ trade: 'PAID', rows: ['CONFIRMED'] });
  await setClockOffset(desk.pool, 60_000);
  try {
    expect(await provider.deliver({ limit: 10 })).toMatchObject([{ delivered: true }]);
  } finally {
    await setClockOffset(desk.pool, 0);
  }
  expect(await desk.books(order)).toMatchObject({ trade: 'PAID', late: [] });
  expect(await compare()).toMatchObject({ fetched: 0, differing: 0 });
});

test('a second payment, a wrong amount and late money that lost its units go back through the provider, to the cent', async () => {
  await desk.stock('back', 2);
  const twice = await begin('back');
  await provider.act('pay-wrong-amount', twice.intentId);
  await provider.act('pay-twice', twice.intentId);
  const late = await begin('back');
  await desk.runOutOfTime(late);
  const other = await desk.place([{ skuId: 'back', quantity: 1 }]);
  await provider.act('pay', late.intentId);
  await desk.settle();
  await desk.runJob();
  expect(await sendRefunds(deps, { limit: 10 })).toMatchObject({ changed: 3, failed: 0 });
  await desk.runJob();
  expect(await desk.books(twice)).toMatchObject({
    trade: 'PAID',
    late: ['AMOUNT_DIFFERS REFUNDED', 'SECOND REFUNDED'],
  });
  expect(await desk.books(late)).toMatchObject({ trade: 'REFUNDED', intent: 'REFUNDED', late: ['LATE REFUNDED'] });
  expect(await desk.books(other)).toMatchObject({ trade: 'UNPAID' });
  expect(await seen(twice)).toEqual([3 * 1999 + 1, 2 * 1999 + 1]);
  expect(await seen(late)).toEqual([1999, 1999]);
  expect(await compare()).toMatchObject({ differing: 0, failed: 0 });
});

test('late money whose units are still there needs no refund, and both views stay equal', async () => {
  await desk.stock('again', 1);
  const order = await begin('again');
  await setPayUntil(desk.pool, order.tradeId, -1);
  await provider.act('pay', order.intentId);
  await desk.settle();
  await desk.runJob();
  expect(await desk.books(order)).toMatchObject({ trade: 'PAID', late: ['LATE REVIVED'] });
  expect(await seen(order)).toEqual([1999, 0]);
  expect(await compare()).toMatchObject({ differing: 0 });
});

test('money that somebody gave back by hand at the provider is an incident, until both views are equal again', async () => {
  await desk.stock('by-hand', 1);
  const order = await begin('by-hand');
  await provider.act('pay', order.intentId);
  await desk.settle();
  const refundId = mint();
  const refund = { refundId, intentRef: order.intentId, amountMinor: 500, currency: 'EUR' };
  expect(await provider.refund(refund)).toMatchObject({ kind: 'succeeded' });
  expect(await compare()).toMatchObject({ differing: 1 });
  expect(await compare()).toMatchObject({ differing: 1 });
  expect(await openIncidents(desk.pool, order.intentId)).toEqual(['PAYMENT_DIFFERS']);
  await desk.pool.query('DELETE FROM demo_provider.refund WHERE refund_id = $1', [refundId]);
  expect(await compare()).toMatchObject({ differing: 0 });
  expect(await openIncidents(desk.pool, order.intentId)).toEqual([]);
});

test('a provider that gives no answer proves nothing', async () => {
  const away = { ...deps, provider: { ...provider, readIntent: async () => ({ kind: 'unknown' }) as const } };
  const { scanned, unknown, differing } = await compareIntents(away, { limit: 1000 });
  expect([unknown, differing]).toEqual([scanned, 0]);
});
