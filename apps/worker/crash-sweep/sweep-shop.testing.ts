/** The shop that a sweep runs in: situations to start from, each on a SKU of its own, and time that moves when told. */
import { mint } from '@holdfast/core/domain';
import { type PlaceOrderCommand, receiveNotice, startPayment } from '@holdfast/core/order';
import { createMetrics, silentLog } from '@holdfast/core/platform';
import {
  checkInvariants,
  countCalls,
  crashAt,
  deliverEvents,
  openTestShop,
  PATIENT,
  recoverAll,
  setClockOffset,
  TEST_SECRETS,
  type Violation,
} from '@holdfast/core/testing';
import { signBody } from '../sign-for-test.testing.ts';
import { demoProvider, openProcess } from './open-process.testing.ts';
import { openSweepStream } from './sweep-stream.testing.ts';

export type SweepShop = Awaited<ReturnType<typeof openSweepShop>>;
export interface SweptTrade {
  readonly tradeId: string;
  readonly buyerId: string;
  readonly skuId: string;
}

const SHOPS = ['S1', 'S2'] as const;
export const UNITS = 10;

export async function openSweepShop(name: string, brokers: string | undefined) {
  const shop = await openTestShop(`sweep_${name}`, PATIENT);
  const stream = await openSweepStream(brokers);
  const { pool, gate, gatekeeper, redis } = shop;
  const waker = { wake: () => undefined };
  const provider = demoProvider(pool);
  const payments = { pool, log: silentLog, waker, provider, webhookSecrets: [TEST_SECRETS.PAYMENT_WEBHOOK_SECRET] };
  const own = await openProcess(shop, stream, countCalls().io);
  let skus = 0;
  let aheadMs = 0;

  const shopOrders = async (tradeId: string) =>
    (
      await pool.query<{ id: string }>(
        'SELECT id FROM tinystore_order.shop_order WHERE trade_id = $1 ORDER BY shop_id',
        [tradeId],
      )
    ).rows.map(({ id }) => id);
  const noticeOf = async (intentId: string) => {
    const { rows } = await pool.query<{ body: string }>(
      'SELECT body FROM demo_provider.notice WHERE position($1 in body) > 0',
      [intentId],
    );
    return signBody(rows[0]?.body ?? '', TEST_SECRETS.PAYMENT_WEBHOOK_SECRET);
  };
  const streamed = { deliver: () => stream.deliver(pool), also: [() => stream.retry(pool)] };
  const scene = {
    ...{ shop, own, pool, gate, gatekeeper, stream, payments, provider, metrics: createMetrics('sweep'), shopOrders },
    /** A new SKU with ten units in the shop S1, or in several. */
    async sku(shops: readonly string[] = ['S1']): Promise<string> {
      const skuId = `K${++skus}`;
      for (const shopId of shops) await shop.stock(skuId, UNITS, shopId);
      return skuId;
    },
    command(skuId: string, more: Partial<PlaceOrderCommand> = {}): PlaceOrderCommand {
      const lines = [{ shopId: 'S1', skuId, quantity: 2, unitPriceMinor: 1999 }];
      return { key: mint<'key'>(), buyerId: mint<'BuyerId'>(), traceId: 'sweep', lines, ...more };
    },
    async placed(): Promise<SweptTrade> {
      const skuId = await scene.sku();
      const buyerId = mint<'BuyerId'>();
      const placed = await shop.order([{ skuId, quantity: 2 }], { buyerId });
      if (placed.kind !== 'placed') throw new Error(placed.message);
      return { tradeId: placed.tradeId, buyerId, skuId };
    },
    /** The buyer has begun to pay, and the provider has the money; nobody has told the shop. */
    async charged(between: (trade: SweptTrade) => Promise<unknown> = async () => undefined) {
      const trade = await scene.placed();
      await scene.recover();
      const started = await startPayment(payments, trade);
      if (started.kind !== 'started') throw new Error(started.message);
      await between(trade);
      await provider.act('pay', started.intentId);
      return { ...trade, notice: await noticeOf(started.intentId) };
    },
    /** Money that the provider took and the shop never asked for; the shop knows of it. */
    async strangersMoney(): Promise<string> {
      const intentId = mint<'IntentId'>();
      const payUntil = new Date(Date.now() + aheadMs + 3_600_000).toISOString();
      const intent = { intentId, attempt: 1, amountMinor: 500, currency: 'EUR', payUntil, providerRef: null };
      await provider.openIntent(intent);
      await provider.act('pay', intentId);
      await receiveNotice(payments, await noticeOf(intentId));
      return intentId;
    },
    /** The notice is stored, and whoever was to judge it has died. */
    async stored() {
      const charged = await scene.charged();
      const crash = crashAt(({ what }) => what.startsWith('WITH named'), 'after');
      const receiver = await openProcess(shop, stream, crash.io);
      await Promise.race([receiveNotice(receiver.trades, charged.notice).catch(() => undefined), crash.died]);
      await crash.died;
      receiver.close();
      return charged;
    },
    async paid(between?: (trade: SweptTrade) => Promise<unknown>) {
      const charged = await scene.charged(between);
      const receipt = await receiveNotice(payments, charged.notice);
      if (receipt.kind !== 'stored') throw new Error(`notice ${receipt.kind}`);
      return charged;
    },
    async confirmed() {
      const paid = await scene.paid();
      await scene.recover();
      return paid;
    },
    /** What is under way arrives; no job runs. */
    async settle(): Promise<void> {
      await deliverEvents(pool);
      await gatekeeper.runOnce();
    },
    /** Everything that a new process does about what is there, at this moment. */
    recover: (way: 'streamed' | 'straight' = 'straight') =>
      recoverAll({ pool, gate, gatekeeper, provider, ...(way === 'streamed' && streamed) }),
    /** Time passes: for the database, for the scripts, and for what Redis remembers of requests under way. */
    async pass(ms: number): Promise<void> {
      await scene.leave(ms);
      await gatekeeper.runOnce();
    },
    /** Time passes, and this shop's gatekeeper does not look. */
    async leave(ms: number): Promise<void> {
      aheadMs += ms;
      await setClockOffset(pool, aheadMs);
      for (const key of await redis.keys('order:attempt:*')) {
        const noted = await redis.get(key);
        if (noted) await redis.set(key, noted.replace(/"busyUntil":\d+/, '"busyUntil":0'), 'KEEPTTL');
      }
      await gate.refresh();
      await own.gate.refresh();
    },
    check: (): Promise<Violation[]> => checkInvariants({ pool, gate }),
    async close(): Promise<void> {
      own.close();
      await stream.close();
      await shop.close({ mayBreak: true });
    },
  };
  for (const shopId of SHOPS) await shop.stock('first', 1, shopId);
  return scene;
}
