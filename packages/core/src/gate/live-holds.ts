/**
 * The one query of live holds (P2): a committed order line names the reservation, and its ledger row is absent or
 * PRE_DEDUCTED, whatever the trade's state. Install, sweep, reconcile and console all ask here, so the gate is
 * never more generous than the ledger.
 */
import type { Sql } from '../platform/index.ts';

export interface LiveHold {
  readonly reservationId: string;
  readonly shopId: string;
  readonly skuId: string;
  readonly quantity: number;
  readonly heldAtMs: number;
  /** False while the ledger row is still on its way. */
  readonly recorded: boolean;
}

/**
 * Two partial indexes carry it: shop orders in RESERVING or RELEASING (anti-joined to reservations), and
 * PRE_DEDUCTED rows. `skus` narrows both to the pairs given; none means all.
 */
const LIVE_HOLDS = `
  SELECT h.reservation_id AS "reservationId", h.shop_id AS "shopId", h.sku_id AS "skuId", h.quantity::bigint AS quantity,
         floor(extract(epoch FROM h.held_at) * 1000)::bigint AS "heldAtMs", false AS recorded
  FROM tinystore_order.shop_order so
  JOIN tinystore_order.order_line_hold h ON h.shop_order_id = so.id AND h.state = 'CURRENT' AND h.gate_mode = 'REDIS'
  LEFT JOIN tinystore_inventory.inventory_reservation r ON r.reservation_id = h.reservation_id
  WHERE so.status IN ('RESERVING', 'RELEASING') AND r.reservation_id IS NULL
    AND ($1::text[] IS NULL OR (h.shop_id, h.sku_id) IN (SELECT * FROM unnest($1::text[], $2::text[])))
  UNION ALL
  SELECT r.reservation_id, r.shop_id, r.sku_id, r.quantity,
         floor(extract(epoch FROM r.held_at) * 1000)::bigint, true
  FROM tinystore_inventory.inventory_reservation r
  WHERE r.status = 'PRE_DEDUCTED'
    AND ($1::text[] IS NULL OR (r.shop_id, r.sku_id) IN (SELECT * FROM unnest($1::text[], $2::text[])))`;

export async function liveHolds(sql: Sql, skus?: readonly { shopId: string; skuId: string }[]): Promise<LiveHold[]> {
  const { rows } = await sql.query<LiveHold>(LIVE_HOLDS, [
    skus?.map((s) => s.shopId) ?? null,
    skus?.map((s) => s.skuId) ?? null,
  ]);
  return rows;
}
