/**
 * A ledger as years of sales leave it, written by SQL: SKUs of several shops, each with reservations of which all
 * but a few are final. Books and rows add up; the gate is loaded afterwards by the product's own rebuild.
 */
import type { Pool } from '@holdfast/core/platform';

export interface LedgerSize {
  readonly shops: number;
  readonly skus: number;
  readonly rowsASku: number;
  /** Of those, PRE_DEDUCTED ones; every other SKU has twice as many, the rest none. */
  readonly liveASku: number;
}

const UNITS_A_SKU = 1000;
/** Older than what the clean-up of gate effects leaves, so that final rows need none. */
const ENDED_AGO = `interval '10 days'`;

const WRITES: readonly ((size: LedgerSize) => string)[] = [
  ({ skus, shops }) => `CREATE TEMP TABLE shelf AS
     SELECT n, 'shop-' || n % ${shops} AS shop_id, 'sku-' || lpad(n::text, 7, '0') AS sku_id, gen_random_uuid() AS operation_id
     FROM generate_series(0, ${skus - 1}) n`,
  // Ids rise with time as real ones do, and neighbours in time are of different SKUs.
  ({ skus, rowsASku, liveASku }) => `INSERT INTO tinystore_inventory.inventory_reservation
       (reservation_id, shop_id, sku_id, quantity, status, order_id, trade_id, release_reason, held_at, recorded_at, confirmed_at, ended_at)
     SELECT (left(ms, 8) || '-' || right(ms, 4) || '-7' || substr(gen_random_uuid()::text, 16))::uuid, shop_id, sku_id, 1, status,
       gen_random_uuid(), gen_random_uuid(), CASE status WHEN 'RELEASED' THEN 'CANCELLED' END, ops.clock_now() - ${ENDED_AGO}, ops.clock_now() - ${ENDED_AGO},
       CASE status WHEN 'CONFIRMED' THEN ops.clock_now() - ${ENDED_AGO} END, CASE status WHEN 'RELEASED' THEN ops.clock_now() - ${ENDED_AGO} END
     FROM (SELECT s.*, lpad(to_hex(1700000000000 + r * ${skus} + s.n), 12, '0') AS ms,
             CASE WHEN s.n % 2 = 0 AND r >= ${rowsASku - 2 * liveASku} THEN 'PRE_DEDUCTED' WHEN r % 3 = 0 THEN 'RELEASED' ELSE 'CONFIRMED' END AS status
           FROM generate_series(0, ${rowsASku - 1}) r, shelf s ORDER BY r, s.n) row`,
  () => `INSERT INTO tinystore_inventory.inventory_stock (shop_id, sku_id, total_quantity, reserved_quantity, confirmed_quantity)
     SELECT shop_id, sku_id, ${UNITS_A_SKU} - count(*) FILTER (WHERE status = 'CONFIRMED'), count(*) FILTER (WHERE status = 'PRE_DEDUCTED'),
       count(*) FILTER (WHERE status = 'CONFIRMED')
     FROM tinystore_inventory.inventory_reservation JOIN shelf USING (shop_id, sku_id) GROUP BY 1, 2`,
  () => `INSERT INTO tinystore_inventory.stock_operation (id, kind, shop_id, sku_id, quantity, total_before, total_after, actor, reason)
     SELECT operation_id, 'RECEIPT', shop_id, sku_id, ${UNITS_A_SKU}, 0, ${UNITS_A_SKU}, 'bench', 'bench' FROM shelf`,
  () => `INSERT INTO tinystore_inventory.stock_movement (shop_id, sku_id, kind, quantity, operation_id, actor)
     SELECT shop_id, sku_id, 'RECEIPT', ${UNITS_A_SKU}, operation_id, 'bench' FROM shelf`,
  () => `INSERT INTO tinystore_inventory.stock_movement (shop_id, sku_id, kind, quantity, reservation_id, actor)
     SELECT shop_id, sku_id, 'CONFIRM', -quantity, reservation_id, 'bench' FROM tinystore_inventory.inventory_reservation JOIN shelf USING (shop_id, sku_id)
     WHERE status = 'CONFIRMED'`,
  () => 'DROP TABLE shelf',
];

/** The pool's statement time-out must leave time for a million rows. */
export async function fillLedger(pool: Pool, size: LedgerSize): Promise<void> {
  const client = await pool.connect();
  try {
    for (const write of WRITES) await client.query(write(size));
    await client.query(
      'VACUUM (ANALYZE) tinystore_inventory.inventory_stock, tinystore_inventory.inventory_reservation',
    );
  } finally {
    client.release();
  }
}
