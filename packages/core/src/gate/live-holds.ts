/**
 * The one query of live holds (P2), a function of the database: a committed order line names the reservation, and its
 * ledger row is absent or PRE_DEDUCTED, whatever the trade's state. Install, sweep, reconcile and console all ask
 * it, so the gate is never more generous than the ledger.
 */
import type { Sql } from '../platform/index.ts';
import type { SkuRef } from './keys.ts';

export interface LiveHold extends SkuRef {
  readonly reservationId: string;
  readonly quantity: number;
  readonly heldAtMs: number;
  /** False while the ledger row is still on its way. */
  readonly recorded: boolean;
}

/** @param skus only these SKUs; all when left out */
export async function liveHolds(sql: Sql, skus?: readonly SkuRef[]): Promise<LiveHold[]> {
  const { rows } = await sql.query<LiveHold>(
    `SELECT reservation_id AS "reservationId", shop_id AS "shopId", sku_id AS "skuId", quantity,
            floor(extract(epoch FROM held_at) * 1000)::bigint AS "heldAtMs", recorded
     FROM tinystore_inventory.live_holds($1::text[], $2::text[])`,
    [skus?.map((s) => s.shopId) ?? null, skus?.map((s) => s.skuId) ?? null],
  );
  return rows;
}
