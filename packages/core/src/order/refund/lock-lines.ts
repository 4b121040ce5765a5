/**
 * The lines of a trade, locked after its shop orders (P12, P31), as refunds and returns judge them. What was paid for
 * a line is worked out here and nowhere else.
 */
import type { Tx } from '../../platform/index.ts';
import { lockShopOrders } from '../trade/lock-trade.ts';
import type { LineState } from './decide-refund.ts';

/** Money that a line brought, of `order_line l`: its price less its share of the coupon. */
export const LINE_PAID = '(l.quantity * l.unit_price_minor - l.discount_minor)';

/** The caller holds the lock of the trade. */
export async function lockLines(tx: Tx, tradeId: string): Promise<LineState[]> {
  await lockShopOrders(tx, [tradeId]);
  const { rows } = await tx.query<LineState>(
    `SELECT l.shop_order_id AS "shopOrderId", s.shop_id AS "shopId", s.status AS "shopOrderStatus", l.sku_id AS "skuId",
            l.quantity AS sold, l.returned_quantity AS returned, ${LINE_PAID} AS "paidMinor", l.refunded_minor AS "refundedMinor"
     FROM tinystore_order.order_line l JOIN tinystore_order.shop_order s ON s.id = l.shop_order_id
     WHERE s.trade_id = $1 ORDER BY l.shop_order_id, l.sku_id FOR UPDATE OF l`,
    [tradeId],
  );
  return rows;
}
