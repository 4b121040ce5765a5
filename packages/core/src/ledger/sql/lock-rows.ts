/**
 * Row locks of the ledger, each kind sorted, in the one order of P12: trades, then reservations by id, then stock
 * by (shop, sku). Whoever follows it cannot deadlock with anybody else who does.
 */
import type { ReservationStatus, TradeStatus } from '../../domain/index.ts';
import type { Sql } from '../../platform/index.ts';
import type { SkuKey } from '../sum-by-sku.ts';

export interface LockedTrade {
  readonly id: string;
  readonly status: TradeStatus;
  readonly buyerId: string;
}

export async function lockTrades(tx: Sql, tradeIds: readonly string[]): Promise<Map<string, LockedTrade>> {
  const { rows } = await tx.query<LockedTrade>(
    `SELECT id, status, buyer_id AS "buyerId" FROM tinystore_order.trade WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`,
    [tradeIds],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export interface LockedReservation {
  readonly reservationId: string;
  readonly status: ReservationStatus;
}

export async function lockReservations(
  tx: Sql,
  reservationIds: readonly string[],
): Promise<Map<string, ReservationStatus>> {
  const { rows } = await tx.query<LockedReservation>(
    `SELECT reservation_id AS "reservationId", status FROM tinystore_inventory.inventory_reservation
     WHERE reservation_id = ANY($1::uuid[]) ORDER BY reservation_id FOR UPDATE`,
    [reservationIds],
  );
  return new Map(rows.map((row) => [row.reservationId, row.status]));
}

export interface LockedStock extends SkuKey {
  readonly total: number;
  readonly reserved: number;
}

/** A SKU without a stock row is missing from the answer. */
export async function lockStock(tx: Sql, skus: readonly SkuKey[]): Promise<LockedStock[]> {
  const { rows } = await tx.query<LockedStock>(
    `SELECT shop_id AS "shopId", sku_id AS "skuId", total_quantity AS total, reserved_quantity AS reserved
     FROM tinystore_inventory.inventory_stock
     WHERE (shop_id, sku_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
     ORDER BY shop_id, sku_id FOR UPDATE`,
    [skus.map((s) => s.shopId), skus.map((s) => s.skuId)],
  );
  return rows;
}
