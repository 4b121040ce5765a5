/** Shop orders with a line of this SKU that the gate has admitted and the ledger has no row for, with all such lines of theirs. */
import type { Sql } from '../../platform/index.ts';
import type { ReserveOrder } from '../record-reservations.ts';
import type { SkuKey } from '../sum-by-sku.ts';

const FIND = `
  WITH due AS (
    SELECT DISTINCT so.id FROM tinystore_order.shop_order so
    JOIN tinystore_order.order_line_hold h ON h.shop_order_id = so.id AND h.state = 'CURRENT' AND h.gate_mode = 'REDIS'
    LEFT JOIN tinystore_inventory.inventory_reservation r ON r.reservation_id = h.reservation_id
    WHERE so.status IN ('RESERVING', 'RELEASING') AND r.reservation_id IS NULL AND h.shop_id = $1 AND h.sku_id = $2
    ORDER BY so.id LIMIT $3
  )
  SELECT t.id AS "tradeId", d.id AS "shopOrderId", to_jsonb(t.pay_until) #>> '{}' AS "payUntil", t.id::text AS "traceId",
         jsonb_agg(jsonb_build_object('reservationId', h.reservation_id, 'shopId', h.shop_id, 'skuId', h.sku_id, 'quantity', h.quantity)
                   ORDER BY h.reservation_id) AS lines
  FROM due d
  JOIN tinystore_order.order_line_hold h ON h.shop_order_id = d.id AND h.state = 'CURRENT'
  JOIN tinystore_order.trade t ON t.id = h.trade_id
  WHERE NOT EXISTS (SELECT FROM tinystore_inventory.inventory_reservation r WHERE r.reservation_id = h.reservation_id)
  GROUP BY t.id, d.id ORDER BY d.id`;

export async function findInFlight(tx: Sql, { shopId, skuId }: SkuKey, limit: number): Promise<ReserveOrder[]> {
  const { rows } = await tx.query<ReserveOrder>(FIND, [shopId, skuId, limit]);
  return rows;
}
