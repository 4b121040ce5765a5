/**
 * Inserts reservation rows sorted by id, each once. The row is made from the hold that the order line names now
 * (`order_line_hold`, CURRENT): ids of an earlier or foreign attempt match nothing and change nothing (P27, P28).
 */
import type { Sql } from '../../platform/index.ts';
import type { HeldRow } from '../held-row.ts';

const INSERT = `
  INSERT INTO tinystore_inventory.inventory_reservation
    (reservation_id, shop_id, sku_id, quantity, status, expire_at, trade_id, order_id, held_at, release_reason, ended_at)
  SELECT h.reservation_id, h.shop_id, h.sku_id, h.quantity, $4, w.expire_at, h.trade_id, h.shop_order_id, h.held_at, w.reason,
         CASE WHEN $4 = 'PRE_DEDUCTED' THEN NULL ELSE ops.clock_now() END
  FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $5::text[]) AS w(reservation_id, shop_order_id, expire_at, reason)
  JOIN tinystore_order.order_line_hold h
    ON h.reservation_id = w.reservation_id AND h.shop_order_id = w.shop_order_id AND h.state = 'CURRENT'
  ORDER BY h.reservation_id
  ON CONFLICT (reservation_id) DO NOTHING
  RETURNING reservation_id AS "reservationId", shop_id AS "shopId", sku_id AS "skuId", quantity,
            trade_id AS "tradeId", order_id AS "shopOrderId"`;

export interface WantedRow {
  readonly reservationId: string;
  readonly shopOrderId: string;
  readonly expireAt: string | null;
  readonly reason: string | null;
}

/** Returns the rows that are new. */
export async function insertReservations(
  tx: Sql,
  status: 'PRE_DEDUCTED' | 'RELEASED',
  wanted: readonly WantedRow[],
): Promise<HeldRow[]> {
  if (wanted.length === 0) return [];
  const { rows } = await tx.query<HeldRow>(INSERT, [
    wanted.map((w) => w.reservationId),
    wanted.map((w) => w.shopOrderId),
    wanted.map((w) => w.expireAt),
    status,
    wanted.map((w) => w.reason),
  ]);
  return rows;
}
