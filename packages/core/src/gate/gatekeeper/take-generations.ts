/**
 * What to install for pending INSTALL effects (P18, P20). The generations are raised under the exclusive lock, in one
 * short call; the ledger is read after it, in a snapshot of its own, so that many holds cost no order a wait (decision
 * 0005). Units cannot be missed: an order under an older generation was committed before the lock was granted or
 * never will be, and what the ledger moves meanwhile has its own effect, which comes later.
 */
import { inTransaction, type Pool } from '../../platform/index.ts';
import type { SkuRef } from '../keys.ts';
import { liveHolds } from '../live-holds.ts';
import type { SkuLoad } from './install-sku.ts';

type Raised = SkuRef & { readonly generation: number };

/** @returns one load a SKU; SKUs whose effect is done, or whose epoch, mode or generation is another by now, are left out. */
export async function takeGenerations(pool: Pool, effectIds: readonly number[], epoch: number): Promise<SkuLoad[]> {
  const { rows: raised } = await pool.query<Raised>(
    `SELECT shop_id AS "shopId", sku_id AS "skuId", generation
     FROM tinystore_inventory.raise_generations($1::bigint[], $2)`,
    [effectIds, epoch],
  );
  return raised.length === 0 ? [] : readLoads(pool, raised);
}

async function readLoads(pool: Pool, raised: readonly Raised[]): Promise<SkuLoad[]> {
  return inTransaction(pool, async (tx) => {
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    // Nobody waits for this transaction.
    await tx.query('SET LOCAL statement_timeout = 30000');
    const { rows } = await tx.query<Omit<SkuLoad, 'holds'>>(
      `SELECT s.shop_id AS "shopId", s.sku_id AS "skuId", s.generation, s.total_quantity AS "totalQuantity",
              s.confirmed_quantity AS "confirmedQuantity"
       FROM unnest($1::text[], $2::text[], $3::bigint[]) AS r(shop_id, sku_id, generation)
       JOIN tinystore_inventory.inventory_stock s
         ON s.shop_id = r.shop_id AND s.sku_id = r.sku_id AND s.generation = r.generation`,
      [raised.map((r) => r.shopId), raised.map((r) => r.skuId), raised.map((r) => r.generation)],
    );
    const holds = Map.groupBy(await liveHolds(tx, rows), (hold) => `${hold.shopId}/${hold.skuId}`);
    return rows.map((row) => ({ ...row, holds: holds.get(`${row.shopId}/${row.skuId}`) ?? [] }));
  });
}
