/** T of SKUs by the one formula, as it is now: never lower than when an effect was written, for T never falls (P4). */
import { gateCapacity } from '../../domain/index.ts';
import type { Sql } from '../../platform/index.ts';
import type { SkuRef } from '../keys.ts';

/** Undefined: the ledger has no such SKU. */
export type Capacities = (sku: SkuRef) => string | undefined;

export async function readCapacities(sql: Sql, skus: readonly SkuRef[]): Promise<Capacities> {
  const found = new Map<string, number>();
  if (skus.length > 0) {
    const { rows } = await sql.query<SkuRef & { totalQuantity: number; confirmedQuantity: number }>(
      `SELECT shop_id AS "shopId", sku_id AS "skuId", total_quantity AS "totalQuantity", confirmed_quantity AS "confirmedQuantity"
       FROM tinystore_inventory.inventory_stock
       WHERE (shop_id, sku_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
      [skus.map((s) => s.shopId), skus.map((s) => s.skuId)],
    );
    for (const row of rows) found.set(`${row.shopId}/${row.skuId}`, gateCapacity(row));
  }
  return ({ shopId, skuId }) => {
    return found.get(`${shopId}/${skuId}`)?.toFixed(0);
  };
}
