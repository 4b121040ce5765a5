/**
 * Units of limited SKUs that a buyer has ordered (P23), counted anew from the orders whenever one of them has closed, was
 * revived or got money back. Not lowered and raised: an event that comes late or twice then moves nothing. A trade counts
 * in the window in which it was placed. Units that came back without money of their own stay counted.
 *
 * The caller holds the buyers' rows of buyer_limit, which are locked before any trade (P12): every order of a buyer is
 * committed under that lock, so none is missed.
 */
import type { Tx } from '../../platform/index.ts';

export async function lockBuyers(tx: Tx, buyerIds: readonly string[]): Promise<void> {
  await tx.query(
    'SELECT 1 FROM tinystore_order.buyer_limit WHERE buyer_id = ANY($1::uuid[]) ORDER BY buyer_id FOR UPDATE',
    [buyerIds],
  );
}

/** The windows that these trades were placed in, each from all of its orders. */
const COUNT = `
  WITH touched AS MATERIALIZED (
    SELECT DISTINCT b.buyer_id, b.shop_id, b.sku_id, b.window_start, b.window_end
    FROM tinystore_order.trade t
    JOIN tinystore_order.shop_order so ON so.trade_id = t.id
    JOIN tinystore_order.order_line l ON l.shop_order_id = so.id
    JOIN tinystore_order.buyer_sku_limit b ON b.buyer_id = t.buyer_id AND b.shop_id = so.shop_id AND b.sku_id = l.sku_id
      AND t.created_at >= b.window_start AND t.created_at < b.window_end
    WHERE t.id = ANY($1::uuid[])
  ), counted AS (
    SELECT w.buyer_id, w.shop_id, w.sku_id, w.window_start, coalesce(o.units, 0) AS units
    FROM touched w
    CROSS JOIN LATERAL (
      SELECT sum(l.quantity - back.units) AS units
      FROM tinystore_order.trade t
      JOIN tinystore_order.shop_order so ON so.trade_id = t.id AND so.shop_id = w.shop_id
      JOIN tinystore_order.order_line l ON l.shop_order_id = so.id AND l.sku_id = w.sku_id
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(f.quantity), 0) AS units FROM tinystore_order.refund_line f
        JOIN tinystore_order.refund r ON r.id = f.refund_id AND r.status = 'SUCCEEDED'
        WHERE f.shop_order_id = so.id AND f.sku_id = l.sku_id) back
      -- A trade that closed has closed_at until it is revived, REFUNDED or not.
      WHERE t.buyer_id = w.buyer_id AND t.created_at >= w.window_start AND t.created_at < w.window_end
        AND t.closed_at IS NULL) o
  )
  UPDATE tinystore_order.buyer_sku_limit b SET units = c.units
  FROM counted c
  WHERE (b.buyer_id, b.shop_id, b.sku_id, b.window_start) = (c.buyer_id, c.shop_id, c.sku_id, c.window_start)
    AND b.units <> c.units`;

export async function countBuyerUnits(tx: Tx, tradeIds: readonly string[]): Promise<void> {
  if (tradeIds.length > 0) await tx.query(COUNT, [tradeIds]);
}
