/** SKUs of shop orders whose current row has been released or has expired: the order stands or falls whole (P6). */
import type { Sql } from '../../platform/index.ts';

export async function findEndedSiblings(tx: Sql, shopOrderIds: readonly string[]): Promise<Map<string, string[]>> {
  if (shopOrderIds.length === 0) return new Map();
  const { rows } = await tx.query<{ shopOrderId: string; skus: string[] }>(
    `SELECT h.shop_order_id AS "shopOrderId", array_agg(h.sku_id ORDER BY h.sku_id) AS skus
     FROM tinystore_order.order_line_hold h
     JOIN tinystore_inventory.inventory_reservation r ON r.reservation_id = h.reservation_id AND r.status IN ('RELEASED', 'EXPIRED')
     WHERE h.shop_order_id = ANY($1::uuid[]) AND h.state = 'CURRENT' GROUP BY h.shop_order_id`,
    [shopOrderIds],
  );
  return new Map(rows.map((row) => [row.shopOrderId, row.skus]));
}
