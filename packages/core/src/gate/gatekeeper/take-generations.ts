/** Asks for what to install for pending INSTALL effects: new generations and the ledger, read under the exclusive lock. */
import type { Pool } from '../../platform/index.ts';
import type { SkuLoad } from './install-sku.ts';

/** @returns one load a SKU; SKUs whose effect is done, or whose epoch or mode is another by now, are left out. */
export async function takeGenerations(pool: Pool, effectIds: readonly number[], epoch: number): Promise<SkuLoad[]> {
  const { rows } = await pool.query<SkuLoad>(
    `SELECT shop_id AS "shopId", sku_id AS "skuId", generation, total_quantity AS "totalQuantity",
            confirmed_quantity AS "confirmedQuantity", holds
     FROM tinystore_inventory.take_generations($1::bigint[], $2)`,
    [effectIds, epoch],
  );
  return rows;
}
