/**
 * The start of one try of an INSTALL effect (P18, P20): under the exclusive lock, while the effect is still PENDING
 * and the epoch is ours, the SKU gets a generation of its own and the ledger is read. No (epoch, generation) is ever
 * installed twice, and takes answered under the old one are refused at commit.
 */
import { inTransaction, type Pool } from '../../platform/index.ts';
import type { SkuRef } from '../keys.ts';
import { liveHolds } from '../live-holds.ts';
import type { SkuLoad } from './install-sku.ts';

/** @returns what to install; undefined when the effect is done, or the epoch or the mode is another by now. */
export async function takeNewGeneration(
  pool: Pool,
  sku: SkuRef,
  effectId: number,
  epoch: number,
): Promise<SkuLoad | undefined> {
  return inTransaction(pool, async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock(ops.gate_lock_key())');
    const { rows } = await tx.query<Omit<SkuLoad, 'holds'>>(
      `UPDATE tinystore_inventory.inventory_stock s SET generation = s.generation + 1
       FROM tinystore_inventory.gate_effect e, tinystore_inventory.gate_epoch g
       WHERE s.shop_id = $1 AND s.sku_id = $2 AND s.gate_mode = 'REDIS'
         AND e.id = $3 AND e.status = 'PENDING' AND g.epoch = $4 AND g.open
       RETURNING s.shop_id AS "shopId", s.sku_id AS "skuId", s.generation,
         s.total_quantity AS "totalQuantity", s.confirmed_quantity AS "confirmedQuantity"`,
      [sku.shopId, sku.skuId, effectId, epoch],
    );
    return rows[0] && { ...rows[0], holds: await liveHolds(tx, [sku]) };
  });
}
