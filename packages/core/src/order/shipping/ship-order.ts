/**
 * CONFIRMED -> SHIPPED, one shop order at a time; the trade follows (P29). Shipping again what is shipped is success.
 * What is being refunded in full is not shipped.
 */
import { type Failure, refuse } from '../../domain/index.ts';
import { appendAudit } from '../../ops/index.ts';
import { append } from '../../outbox/index.ts';
import type { Tx } from '../../platform/index.ts';
import { refuseMove, SHOP_ORDER_MOVES } from '../moves.ts';
import { changeTrades, orBusy, type TradeDeps } from '../trade/change-trades.ts';
import { followShopOrders } from '../trade/follow-shop-orders.ts';
import type { LockedTrade } from '../trade/lock-trade.ts';
import { lockShopOrder, type ShippedOrder } from './lock-shop-order.ts';

export interface ShipOrder {
  readonly shopOrderId: string;
  readonly carrier?: string | undefined;
  readonly trackingCode?: string | undefined;
  readonly by: { readonly name: string };
}

export function shipOrder(deps: TradeDeps, command: ShipOrder): Promise<{ kind: 'shipped' } | Failure> {
  return orBusy(() =>
    changeTrades(deps, async (tx) => {
      const found = await lockShopOrder(tx, command.shopOrderId);
      if (!found) return refuse('NOT_FOUND', 'There is no such shop order.');
      const { trade, order } = found;
      if (order.status === 'SHIPPED' || order.status === 'RECEIVED') return { kind: 'shipped' };
      const refusal = refuseMove(SHOP_ORDER_MOVES[order.status].ship, trade.id) ?? refuseToShip(trade, order);
      if (refusal) return refusal;
      await ship(tx, trade, command);
      return { kind: 'shipped' };
    }),
  );
}

function refuseToShip(trade: LockedTrade, order: ShippedOrder): Failure | undefined {
  const tradeId = trade.id;
  // Other shop orders of the trade may still be on their way to CONFIRMED: it ships when it is paid as a whole.
  if (trade.status === 'PAID_PENDING') return refuse('WRONG_STATE', 'The payment is still being booked.', { tradeId });
  return order.goingBack ? refuse('WRONG_STATE', 'All of it is being refunded.', { tradeId }) : undefined;
}

async function ship(tx: Tx, trade: LockedTrade, { shopOrderId, carrier, trackingCode, by }: ShipOrder): Promise<void> {
  const { rowCount } = await tx.query(
    `UPDATE tinystore_order.shop_order SET status = 'SHIPPED', shipped_at = ops.clock_now(), carrier = $2, tracking_code = $3,
       version = version + 1
     WHERE id = $1 AND status = 'CONFIRMED'`,
    [shopOrderId, carrier ?? null, trackingCode ?? null],
  );
  if (rowCount !== 1) throw new Error(`shop order ${shopOrderId} was locked as CONFIRMED and could not be shipped`);
  await followShopOrders(tx, trade.id);
  await append(tx, [
    {
      type: 'ORDER_SHIPPED',
      key: trade.id,
      traceId: trade.id,
      payload: { tradeId: trade.id, buyerId: trade.buyerId, shopOrderId },
    },
  ]);
  await appendAudit(tx, {
    actor: by.name,
    action: 'order.ship',
    target: trade.id,
    reason: 'shipped',
    before: { shopOrderId, status: 'CONFIRMED' },
    after: { shopOrderId, status: 'SHIPPED', carrier: carrier ?? null, trackingCode: trackingCode ?? null },
  });
}
