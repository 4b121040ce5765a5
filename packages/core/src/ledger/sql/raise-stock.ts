/** Stock rows that rise, locked in (shop, sku) order (P12), each with the RAISE that tells the gate its capacity (P4). */
import { gateCapacity, type LedgerFigures } from '../../domain/index.ts';
import type { Sql } from '../../platform/index.ts';
import type { SkuKey, StockChange } from '../sum-by-sku.ts';

const FIGURES = `s.shop_id AS "shopId", s.sku_id AS "skuId", s.total_quantity AS "totalQuantity", s.confirmed_quantity AS "confirmedQuantity"`;

export type StockFigures = SkuKey & Pick<LedgerFigures, 'totalQuantity' | 'confirmedQuantity'>;

export async function readLockedStock(tx: Sql, skus: readonly SkuKey[]): Promise<StockFigures[]> {
  const { rows } = await tx.query<StockFigures>(
    `SELECT ${FIGURES} FROM tinystore_inventory.inventory_stock s
     WHERE (s.shop_id, s.sku_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
     ORDER BY s.shop_id, s.sku_id FOR UPDATE`,
    [skus.map((s) => s.shopId), skus.map((s) => s.skuId)],
  );
  return rows;
}

/** The rows are locked. @throws when one is missing */
export async function raiseStock(tx: Sql, changes: readonly StockChange[]): Promise<void> {
  const { rows } = await tx.query<StockFigures>(
    `UPDATE tinystore_inventory.inventory_stock s
     SET total_quantity = s.total_quantity + c.total, version = s.version + 1
     FROM unnest($1::text[], $2::text[], $3::bigint[]) AS c(shop_id, sku_id, total)
     WHERE s.shop_id = c.shop_id AND s.sku_id = c.sku_id AND c.total > 0 RETURNING ${FIGURES}`,
    [changes.map((c) => c.shopId), changes.map((c) => c.skuId), changes.map((c) => c.total)],
  );
  if (rows.length !== changes.length) throw new Error(`${rows.length} of ${changes.length} stock rows could be raised`);
  await tx.query(
    `INSERT INTO tinystore_inventory.gate_effect (kind, shop_id, sku_id, quantity)
     SELECT 'RAISE', * FROM unnest($1::text[], $2::text[], $3::bigint[])`,
    [rows.map((r) => r.shopId), rows.map((r) => r.skuId), rows.map(gateCapacity)],
  );
}
