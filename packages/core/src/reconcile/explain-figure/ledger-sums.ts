/**
 * Everything the ledger's figures of one SKU are made of, at one instant, now or past: sums by kind, never the rows
 * themselves. One snapshot. Of the past nothing is stored but the rows with their times, so a counter then = the
 * rows then + what the counter has today beyond its rows. A change stands at the time its transaction began.
 */
import type { SkuRef } from '../../gate/index.ts';
import { inTransaction, type Pool, type Tx } from '../../platform/index.ts';

export interface Tally {
  readonly count: number;
  readonly units: number;
}
export type MovementKind = 'RECEIPT' | 'RESTOCK' | 'CONFIRM' | 'SHRINK';
export const MOVEMENT_KINDS: readonly MovementKind[] = ['RECEIPT', 'RESTOCK', 'CONFIRM', 'SHRINK'];

export interface LedgerSums {
  readonly at: Date;
  /** The counters as they are today. */
  readonly counters: { readonly total: number; readonly reserved: number; readonly confirmed: number };
  /** Movements up to the instant, and of all time; signed units. */
  readonly upTo: Readonly<Record<MovementKind, Tally>>;
  readonly ever: Readonly<Record<MovementKind, Tally>>;
  /** Recorded and neither paid nor ended at the instant; and today. */
  readonly reserved: Tally;
  readonly reservedToday: Tally;
  /** Ordered, the ledger row not written yet. */
  readonly onItsWay: Tally;
}

const NONE: Tally = { count: 0, units: 0 };

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

async function sumMovements(tx: Tx, sku: SkuRef, at: Date | 'infinity'): Promise<Pick<LedgerSums, 'upTo' | 'ever'>> {
  const { rows } = await tx.query<{ kind: MovementKind; n: number; units: number; n_then: number; units_then: number }>(
    `SELECT kind, count(*) AS n, sum(quantity)::bigint AS units, count(*) FILTER (WHERE at <= $3) AS n_then,
       coalesce(sum(quantity) FILTER (WHERE at <= $3), 0)::bigint AS units_then
     FROM tinystore_inventory.stock_movement WHERE shop_id = $1 AND sku_id = $2 GROUP BY kind`,
    [sku.shopId, sku.skuId, at],
  );
  const upTo = { RECEIPT: NONE, RESTOCK: NONE, CONFIRM: NONE, SHRINK: NONE };
  const ever = { ...upTo };
  for (const { kind, n, units, n_then, units_then } of rows) {
    upTo[kind] = { count: n_then, units: units_then };
    ever[kind] = { count: n, units };
  }
  return { upTo, ever };
}

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

async function sumReservations(
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
