/** One shop order with its trade, locked in the order of P12: the trade first. */
import type { ShopOrderStatus } from '../../domain/index.ts';
import type { Tx } from '../../platform/index.ts';
import { LINE_PAID } from '../refund/lock-lines.ts';
import { type LockedTrade, lockShopOrders, lockTrade } from '../trade/lock-trade.ts';

export interface ShippedOrder {
  readonly id: string;
  readonly status: ShopOrderStatus;
  /** All its money was asked back, or all its units are back. */
  readonly goingBack: boolean;
}

export async function lockShopOrder(
  tx: Tx,
  shopOrderId: string,
): Promise<{ readonly trade: LockedTrade; readonly order: ShippedOrder } | undefined> {
  const { rows } = await tx.query<{ tradeId: string }>(
    'SELECT trade_id AS "tradeId" FROM tinystore_order.shop_order WHERE id = $1',
    [shopOrderId],
  );
  const trade = rows[0] && (await lockTrade(tx, rows[0].tradeId));
  if (!trade) return undefined;
  await lockShopOrders(tx, [trade.id]);
  const order = await readShopOrder(tx, shopOrderId);
  return order && { trade, order };
}

async function readShopOrder(tx: Tx, shopOrderId: string): Promise<ShippedOrder | undefined> {
  const { rows } = await tx.query<ShippedOrder>(
    `SELECT s.id, s.status, (SELECT bool_and(l.returned_quantity = l.quantity OR (${LINE_PAID} > 0 AND l.refunded_minor >= ${LINE_PAID}))
                             FROM tinystore_order.order_line l WHERE l.shop_order_id = s.id) AS "goingBack"
     FROM tinystore_order.shop_order s WHERE s.id = $1`,
    [shopOrderId],
  );
  return rows[0];
}
