/** What orders held of one SKU at an instant: recorded and open, or on their way to the ledger. */
import type { SkuRef } from '../../gate/index.ts';
import type { Tx } from '../../platform/index.ts';
import type { LedgerSums } from './ledger-sums.ts';
import { NONE, type Tally } from './sum-movements.ts';

/**
 * Rows that could have been open at the instant: those open today, ended since, or sold since. Each is found by an
 * index of its SKU; the cost grows with what happened since the instant, not with all sales.
 */
export const POSSIBLY_OPEN = `
  SELECT reservation_id, trade_id, quantity, held_at, recorded_at, NULL::timestamptz AS closed_at
  FROM tinystore_inventory.inventory_reservation
  WHERE shop_id = $1 AND sku_id = $2 AND status = 'PRE_DEDUCTED' AND held_at <= $3
  UNION ALL
  SELECT reservation_id, trade_id, quantity, held_at, recorded_at, ended_at
  FROM tinystore_inventory.inventory_reservation
  WHERE shop_id = $1 AND sku_id = $2 AND ended_at > $3 AND held_at <= $3
  UNION ALL
  SELECT r.reservation_id, r.trade_id, r.quantity, r.held_at, r.recorded_at, r.confirmed_at
  FROM tinystore_inventory.stock_movement m
  JOIN tinystore_inventory.inventory_reservation r ON r.reservation_id = m.reservation_id
  WHERE m.shop_id = $1 AND m.sku_id = $2 AND m.kind = 'CONFIRM' AND m.at > $3 AND r.confirmed_at > $3 AND r.held_at <= $3`;

/** Named by an order at the instant, row not written yet. The ids of a revive are written before they are taken (P2). */
export const ON_ITS_WAY = `
  SELECT o.reservation_id, o.trade_id, o.quantity, o.held_at
  FROM (${POSSIBLY_OPEN}) o
  WHERE o.recorded_at > $3 AND NOT EXISTS (
    SELECT FROM tinystore_order.order_line_hold h WHERE h.reservation_id = o.reservation_id AND h.attempt > 1)
  UNION ALL
  SELECT l.reservation_id, h.trade_id, l.quantity, l.held_at
  FROM tinystore_inventory.live_holds(ARRAY[$1], ARRAY[$2]) l
  JOIN tinystore_order.order_line_hold h ON h.reservation_id = l.reservation_id
  WHERE NOT l.recorded AND l.held_at <= $3`;

export async function sumReservations(
  tx: Tx,
  { shopId, skuId }: SkuRef,
  at: Date | 'infinity',
): Promise<Pick<LedgerSums, 'reserved' | 'reservedToday' | 'onItsWay'>> {
  const tally = async (text: string, values: readonly unknown[]) =>
    (
      await tx.query<Tally>(
        `SELECT count(*) AS count, coalesce(sum(quantity), 0)::bigint AS units FROM ${text}`,
        values,
      )
    ).rows[0] ?? NONE;
  const there = [shopId, skuId, at];
  return {
    reserved: await tally(`(${POSSIBLY_OPEN}) o WHERE o.recorded_at <= $3`, there),
    onItsWay: await tally(`(${ON_ITS_WAY}) o`, there),
    reservedToday: await tally(
      `tinystore_inventory.inventory_reservation WHERE shop_id = $1 AND sku_id = $2 AND status = 'PRE_DEDUCTED'`,
      [shopId, skuId],
    ),
  };
}
