/** The units a trade names at present: its CURRENT holds, each with the state of its ledger row, if there is one. */
import type { ReservationStatus, ReservedLine } from '../../domain/index.ts';
import type { Sql } from '../../platform/index.ts';

export interface TradeHold extends ReservedLine {
  readonly tradeId: string;
  readonly shopOrderId: string;
  /** null = not recorded in the ledger yet. */
  readonly row: ReservationStatus | null;
}

export async function readHolds(sql: Sql, tradeIds: readonly string[]): Promise<TradeHold[]> {
  const { rows } = await sql.query<TradeHold>(
    `SELECT h.trade_id AS "tradeId", h.shop_order_id AS "shopOrderId", h.reservation_id AS "reservationId",
            h.shop_id AS "shopId", h.sku_id AS "skuId", h.quantity, r.status AS row
     FROM tinystore_order.order_line_hold h
     LEFT JOIN tinystore_inventory.inventory_reservation r ON r.reservation_id = h.reservation_id
     WHERE h.trade_id = ANY($1::uuid[]) AND h.state = 'CURRENT'
     ORDER BY h.shop_order_id, h.reservation_id`,
    [tradeIds],
  );
  return rows;
}

/** The row is missing or PRE_DEDUCTED: the units are still held for this trade. */
export function isOpen(hold: TradeHold): boolean {
  return hold.row === null || hold.row === 'PRE_DEDUCTED';
}

export function reservedLine({ reservationId, shopId, skuId, quantity }: ReservedLine): ReservedLine {
  return { reservationId, shopId, skuId, quantity };
}

/** Holds by shop order, in the order they were read. */
export function byShopOrder<H extends { readonly shopOrderId: string }>(holds: readonly H[]): Map<string, H[]> {
  return Map.groupBy(holds, (hold) => hold.shopOrderId);
}
