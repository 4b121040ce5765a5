/** What happens to an order that is paid: it is shipped, received, given back. */
import { mint } from '@holdfast/core/domain';
import { answerReturn, receiveOrder, refundOrder, requestReturn, shipOrder } from '@holdfast/core/order';
import { runAutoReceive } from '../jobs/auto-receive.ts';
import { runSendRefunds } from '../jobs/send-refunds.ts';
import type { Situation, SweptHandler } from './sweep.testing.ts';
import type { SweepShop } from './sweep-shop.testing.ts';

const by = { name: 'ada', reason: 'test' };
const EIGHT_DAYS_MS = 8 * 24 * 3_600_000;

type Sold = Awaited<ReturnType<SweepShop['confirmed']>> & { readonly shopOrderId: string };

function sold(name: string, given: (scene: SweepShop, order: Sold) => Promise<Situation>): SweptHandler {
  return {
    name,
    async given(scene) {
      const trade = await scene.confirmed();
      const [shopOrderId = ''] = await scene.shopOrders(trade.tradeId);
      return given(scene, { ...trade, shopOrderId });
    },
  };
}

/** Sent twice with one key, a request for money pays once. */
async function refundAgain(scene: SweepShop, command: Parameters<typeof refundOrder>[1]): Promise<string | undefined> {
  const answer = await refundOrder(scene.payments, command);
  if (answer.kind !== 'refunded') return `sent again it is ${answer.code}`;
  const { rows } = await scene.pool.query('SELECT FROM tinystore_order.refund WHERE trade_id = $1', [command.tradeId]);
  return rows.length === 1 ? undefined : `${rows.length} refunds`;
}

export const AFTER_SALE_HANDLERS: readonly SweptHandler[] = [
  sold('ship an order', async (_, { shopOrderId }) => ({
    act: ({ trades }) => shipOrder(trades, { shopOrderId, by }),
  })),
  sold('receive an order', async (scene, { shopOrderId, buyerId }) => {
    await shipOrder(scene.payments, { shopOrderId, by });
    return { act: ({ trades }) => receiveOrder(trades, { shopOrderId, buyerId }) };
  }),
  sold('receive by time', async (scene, { shopOrderId }) => {
    await shipOrder(scene.payments, { shopOrderId, by });
    await scene.settle();
    await scene.pass(EIGHT_DAYS_MS);
    return { act: ({ jobs }) => runAutoReceive(jobs) };
  }),
  sold('ask for a refund', async (scene, { tradeId }) => {
    const wish = { kind: 'rest', units: 'RESTOCK' } as const;
    const command = { tradeId, wish, idempotencyKey: mint<'key'>(), by };
    return { act: ({ trades }) => refundOrder(trades, command), again: () => refundAgain(scene, command) };
  }),
  sold('send the refund of an order', async (scene, { tradeId }) => {
    const wish = { kind: 'rest', units: 'RESTOCK' } as const;
    await refundOrder(scene.payments, { tradeId, wish, idempotencyKey: mint<'key'>(), by });
    return { act: ({ jobs }) => runSendRefunds(jobs) };
  }),
  sold('ask for a return', async (scene, { tradeId, buyerId, shopOrderId, skuId }) => {
    const command = {
      tradeId,
      buyerId,
      shopOrderId,
      skuId,
      quantity: 1,
      reason: 'broken',
      idempotencyKey: mint<'key'>(),
    };
    await shipOrder(scene.payments, { shopOrderId, by });
    return {
      act: ({ trades }) => requestReturn(trades, command),
      again: async () => {
        const answer = await requestReturn(scene.payments, command);
        return answer.kind === 'requested' ? undefined : `sent again it is ${answer.code}`;
      },
    };
  }),
  sold('receive a return', async (scene, { tradeId, buyerId, shopOrderId, skuId }) => {
    const command = {
      tradeId,
      buyerId,
      shopOrderId,
      skuId,
      quantity: 1,
      reason: 'broken',
      idempotencyKey: mint<'key'>(),
    };
    await shipOrder(scene.payments, { shopOrderId, by });
    const asked = await requestReturn(scene.payments, command);
    if (asked.kind !== 'requested') throw new Error(asked.message);
    const answer = { kind: 'receive', units: 'RESTOCK' } as const;
    return { act: ({ trades }) => answerReturn(trades, { returnItemId: asked.returnItemId, answer, by }) };
  }),
];
