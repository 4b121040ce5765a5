/**
 * Marks effects APPLIED (P18): under the shared lock, so no rebuild or re-install lies between the look and the mark,
 * and only while the epoch is the one whose scripts did the work and the SKU has the generation its key answered. The
 * generation counts for SKUs that are sold at the gate; a REMOVE is about one that no longer is.
 * `status || ''` keeps the plan on the primary key, whatever the planner thinks of the index of pending ones.
 */
import { inTransaction, type Pool } from '../../platform/index.ts';
import type { Applied } from './apply-to-sku.ts';

/** @returns the ids that were marked; the others stay pending and are applied again. */
export async function markApplied(pool: Pool, epoch: number, applied: readonly Applied[]): Promise<Set<number>> {
  if (applied.length === 0) return new Set();
  return inTransaction(pool, async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock_shared(ops.gate_lock_key())');
    const { rows } = await tx.query<{ id: number }>(
      `UPDATE tinystore_inventory.gate_effect e
       SET status = 'APPLIED', epoch = $1, generation = a.generation, applied_at = ops.clock_now()
       FROM unnest($2::bigint[], $3::bigint[]) AS a(id, generation),
            tinystore_inventory.gate_epoch g, tinystore_inventory.inventory_stock s
       WHERE e.id = a.id AND e.status || '' = 'PENDING' AND g.epoch = $1
         AND s.shop_id = e.shop_id AND s.sku_id = e.sku_id 
         AND (s.generation = a.generation OR s.gate_mode = 'DATABASE' OR e.kind = 'REMOVE')
       RETURNING e.id`,
      [epoch, applied.map((a) => a.id), applied.map((a) => a.generation)],
    );
    return new Set(rows.map((row) => row.id));
  });
}
