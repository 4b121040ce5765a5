/**
 * REFUNDED only at the full amount (P31): a shop order whose money is all back, and the trade follows (P29). One that
 * a coupon paid whole brought no money: it is REFUNDED when all its units are back.
 */
import type { Tx } from '../../platform/index.ts';
import { followShopOrders } from '../trade/follow-shop-orders.ts';
import { LINE_PAID } from './lock-lines.ts';

/** The caller holds the locks of the trade and of its shop orders. Shop orders with money still out are left alone. */
export async function refundInFull(tx: Tx, tradeId: string, shopOrderIds: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE tinystore_order.shop_order s SET status = 'REFUNDED', version = s.version + 1
     FROM (SELECT l.shop_order_id, sum(${LINE_PAID}) AS paid, bool_and(l.returned_quantity = l.quantity) AS returned
           FROM tinystore_order.order_line l WHERE l.shop_order_id = ANY($1::uuid[]) GROUP BY 1) l
     WHERE s.id = l.shop_order_id AND s.status IN ('CONFIRMED', 'SHIPPED', 'RECEIVED') AND (l.paid > 0 OR l.returned)
       AND l.paid = (SELECT coalesce(sum(r.amount_minor), 0) FROM tinystore_order.refund r
                     WHERE r.shop_order_id = s.id AND r.cause = 'CUSTOMER' AND r.status = 'SUCCEEDED')`,
    [shopOrderIds],
  );
  await followShopOrders(tx, tradeId);
}
