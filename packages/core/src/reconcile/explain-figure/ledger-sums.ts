/**
 * Everything the ledger's figures of one SKU are made of, at one instant, now or past: sums by kind, never the rows
 * themselves. One snapshot. Of the past nothing is stored but the rows with their times, so a counter then = the
 * rows then + what the counter has today beyond its rows. A change stands at the time its transaction began.
 */
import type { SkuRef } from '../../gate/index.ts';
import { inTransaction, type Pool } from '../../platform/index.ts';
import { type MovementSums, sumMovements, type Tally } from './sum-movements.ts';
import { sumReservations } from './sum-reservations.ts';

export interface LedgerSums {
  readonly at: Date;
  /** The counters as they are today. */
  readonly counters: { readonly total: number; readonly reserved: number; readonly confirmed: number };
  /** Movements up to the instant, and of all time; signed units. */
  readonly upTo: MovementSums;
  readonly ever: MovementSums;
  /** Recorded and neither paid nor ended at the instant; and today. */
  readonly reserved: Tally;
  readonly reservedToday: Tally;
  /** Ordered, the ledger row not written yet. */
  readonly onItsWay: Tally;
}

/** @returns undefined for a SKU that the ledger does not have */
export function readLedgerSums(pool: Pool, sku: SkuRef, at: Date | null): Promise<LedgerSums | undefined> {
  return inTransaction(pool, async (tx) => {
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows } = await tx.query<LedgerSums['counters'] & { at: Date }>(
      `SELECT total_quantity AS total, reserved_quantity AS reserved, confirmed_quantity AS confirmed,
         least($3::timestamptz, ops.clock_now()) AS at
       FROM tinystore_inventory.inventory_stock WHERE shop_id = $1 AND sku_id = $2`,
      [sku.shopId, sku.skuId, at],
    );
    const [stock] = rows;
    if (!stock) return undefined;
    const { at: instant, ...counters } = stock;
    // Of now means the whole snapshot, also what began a moment after this transaction.
    const until = at ? instant : 'infinity';
    return {
      at: instant,
      counters,
      ...(await sumMovements(tx, sku, until)),
      ...(await sumReservations(tx, sku, until)),
    };
  });
}
