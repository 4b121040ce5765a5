/** SHIPPED -> RECEIVED, by the buyer's word; the trade follows (P29). Said twice, it is success twice. */
import { type Failure, refuse } from '../../domain/index.ts';
import { append, type NewEvent } from '../../outbox/index.ts';
import type { Tx } from '../../platform/index.ts';
import { refuseMove, SHOP_ORDER_MOVES } from '../moves.ts';
import { changeTrades, orBusy, type TradeDeps } from '../trade/change-trades.ts';
import { followShopOrders } from '../trade/follow-shop-orders.ts';
import type { LockedTrade } from '../trade/lock-trade.ts';
import { lockShopOrder } from './lock-shop-order.ts';

export function receiveOrder(
  deps: TradeDeps,
  command: { readonly shopOrderId: string; readonly buyerId: string },
): Promise<{ kind: 'received' } | Failure> {
  return orBusy(() =>
    changeTrades(deps, async (tx) => {
      const found = await lockShopOrder(tx, command.shopOrderId);
      if (!found || found.trade.buyerId !== command.buyerId) return refuse('NOT_FOUND', 'There is no such order.');
      const { trade, order } = found;
      if (order.status === 'RECEIVED') return { kind: 'received' };
      const refusal = refuseMove(SHOP_ORDER_MOVES[order.status].receive, trade.id);
      if (refusal) return refusal;
      await markReceived(tx, trade, [order.id]);
      return { kind: 'received' };
    }),
  );
}

/** The caller holds the locks and has seen each shop order SHIPPED. */
export async function markReceived(tx: Tx, trade: LockedTrade, shopOrderIds: readonly string[]): Promise<void> {
  const { rowCount } = await tx.query(
    `UPDATE tinystore_order.shop_order SET status = 'RECEIVED', received_at = ops.clock_now(), version = version + 1
     WHERE id = ANY($1::uuid[]) AND status = 'SHIPPED'`,
    [shopOrderIds],
  );
  if (rowCount !== shopOrderIds.length)
    throw new Error(`${rowCount} of ${shopOrderIds.length} orders could be received`);
  await followShopOrders(tx, trade.id);
  const { id: tradeId, buyerId } = trade;
  await append(
    tx,
    shopOrderIds.map((shopOrderId): NewEvent => {
      return { type: 'ORDER_RECEIVED', key: tradeId, traceId: tradeId, payload: { tradeId, buyerId, shopOrderId } };
    }),
  );
}
