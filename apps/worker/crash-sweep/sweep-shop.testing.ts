/** The shop that a sweep runs in: situations to start from, each on a SKU of its own, and time that moves when told. */
import { mint } from '@holdfast/core/domain';
import type { PlaceOrderCommand } from '@holdfast/core/order';
import { silentLog } from '@holdfast/core/platform';
import { countCalls, openTestShop, PATIENT, TEST_SECRETS } from '@holdfast/core/testing';
import { type MoneySituations, moneySituations } from './money-situations.testing.ts';
import { demoProvider, openProcess } from './open-process.testing.ts';
import { recovery } from './recovery.testing.ts';
import { openSweepStream } from './sweep-stream.testing.ts';

export type SweepScene = Awaited<ReturnType<typeof openScene>>;
export type SweepShop = SweepScene & MoneySituations;
export interface SweptTrade {
  readonly tradeId: string;
  readonly buyerId: string;
  readonly skuId: string;
}

const SHOPS = ['S1', 'S2'] as const;
export const UNITS = 10;

export async function openSweepShop(name: string, brokers: string | undefined): Promise<SweepShop> {
  const scene = await openScene(name, brokers);
  return { ...scene, ...moneySituations(scene) };
}

async function openScene(name: string, brokers: string | undefined) {
  const shop = await openTestShop(`sweep_${name}`, PATIENT);
  const stream = await openSweepStream(brokers);
  const { pool, gate, gatekeeper } = shop;
  const waker = { wake: () => undefined };
  const provider = demoProvider(pool);
  const payments = { pool, log: silentLog, waker, provider, webhookSecrets: [TEST_SECRETS.PAYMENT_WEBHOOK_SECRET] };
  const own = await openProcess(shop, stream, countCalls().io);
  let skus = 0;

  const shopOrders = async (tradeId: string) =>
    (
      await pool.query<{ id: string }>(
        'SELECT id FROM tinystore_order.shop_order WHERE trade_id = $1 ORDER BY shop_id',
        [tradeId],
      )
    ).rows.map(({ id }) => id);
  const scene = {
    ...recovery({ shop, own, stream, provider }),
    ...{ shop, own, pool, gate, gatekeeper, stream, payments, provider, shopOrders },
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
    async close(): Promise<void> {
      own.close();
      await stream.close();
      await shop.close({ mayBreak: true });
    },
  };
  for (const shopId of SHOPS) await shop.stock('first', 1, shopId);
  return scene;
}
