/** What buyers do in a test shop: order, cancel, pay. */
import { mint } from '@holdfast/core/domain';
import { cancelOrder, createDemoProvider, receiveNotice, startPayment } from '@holdfast/core/order';
import { silentLog, type WakeTopic } from '@holdfast/core/platform';
import { TEST_SECRETS, type TestShop } from '@holdfast/core/testing';
import { signForTest } from './sign-for-test.testing.ts';

export interface PlacedOrder {
  readonly tradeId: string;
  readonly buyerId: string;
}

export function chainOrders(shop: TestShop, wake: (topic: WakeTopic) => void) {
  const deps = { pool: shop.pool, log: silentLog, waker: { wake } };
  return {
    async place(quantity = 1, skuId = 'K1'): Promise<PlacedOrder> {
      const buyerId = mint<'BuyerId'>();
      const result = await shop.order([{ skuId, quantity }], { buyerId });
      if (result.kind !== 'placed') throw new Error(`not placed: ${JSON.stringify(result)}`);
      return { tradeId: result.tradeId, buyerId };
    },
    cancel: ({ tradeId, buyerId }: PlacedOrder) => cancelOrder(deps, { tradeId, by: { kind: 'buyer', buyerId } }),
    async pay({ tradeId, buyerId }: PlacedOrder): Promise<void> {
      const webhookSecret = TEST_SECRETS.PAYMENT_WEBHOOK_SECRET;
      const provider = createDemoProvider({ pool: shop.pool, publicUrl: 'http://localhost', webhookSecret });
      const started = await startPayment({ ...deps, provider }, { tradeId, buyerId });
      if (started.kind !== 'started') throw new Error(`payment refused: ${started.code}`);
      const notice = signForTest(started, webhookSecret);
      const receipt = await receiveNotice({ ...deps, provider, webhookSecrets: [webhookSecret] }, notice);
      if (receipt.kind !== 'stored') throw new Error(`notice not stored: ${receipt.kind}`);
    },
  };
}
