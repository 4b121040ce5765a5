/** What a closed trade must look like before it may be revived (P28), read under its lock. */
import type { Tx } from '../../../platform/index.ts';

export interface ReviveState {
  readonly ready: boolean;
  readonly otherRevives: boolean;
}

export async function lookAtTrade(tx: Tx, tradeId: string, eventId: string): Promise<ReviveState> {
  const { rows } = await tx.query<ReviveState>(
    `SELECT NOT EXISTS (SELECT FROM tinystore_order.shop_order s WHERE s.trade_id = $1 AND s.status <> 'RELEASED')
        AND NOT EXISTS (
          SELECT FROM tinystore_order.order_line_hold h
          LEFT JOIN tinystore_inventory.inventory_reservation r ON r.reservation_id = h.reservation_id
          LEFT JOIN tinystore_inventory.inventory_stock s ON s.shop_id = h.shop_id AND s.sku_id = h.sku_id
          WHERE h.trade_id = $1 AND h.state = 'CURRENT'
            AND (coalesce(r.status, 'PRE_DEDUCTED') NOT IN ('RELEASED', 'EXPIRED') OR coalesce(s.gate_mode, 'SWITCHING') = 'SWITCHING'
              OR (s.gate_mode = 'REDIS' AND EXISTS (
                SELECT FROM tinystore_inventory.gate_effect e WHERE e.reservation_id = h.reservation_id AND e.status = 'PENDING')))
        ) AS ready,
        EXISTS (SELECT FROM tinystore_order.late_payment o
          WHERE o.trade_id = $1 AND o.event_id <> $2 AND o.status IN ('REVIVING', 'REVIVED')) AS "otherRevives"`,
    [tradeId, eventId],
  );
  return rows[0] ?? { ready: false, otherRevives: false };
}
