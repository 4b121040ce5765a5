/**
 * A verb met no key, or one of another epoch than the open one (P9). The ledger says what that means: no such SKU, a
 * load on its way, another mode, or a key lost within its epoch, which closes the gate. A lost key is never put back
 * within its generation.
 */
import type { Pool } from '../platform/index.ts';
import type { SkuRef } from './keys.ts';

/** OTHER_MODE: the units are not sold at the gate (any more); the caller reads the mode anew and repeats. */
export type NotLoaded = 'UNKNOWN_SKU' | 'BUSY' | 'OTHER_MODE' | 'GATE_CLOSED';

export interface NotLoadedDeps {
  readonly pool: Pool;
  /** Looks at the SKU's keys once more, after the ledger was read. */
  readonly isStillMissing: (sku: SkuRef) => Promise<boolean>;
  readonly reportClosed: (reason: string) => Promise<void>;
}

/** GATE_CLOSED: the key is lost and has been reported, so that the gatekeeper rebuilds. */
export async function judgeNotLoaded(deps: NotLoadedDeps, sku: SkuRef): Promise<NotLoaded> {
  const { rows } = await deps.pool.query<{ gate_mode: string; loading: boolean }>(
    `SELECT s.gate_mode, EXISTS (SELECT 1 FROM tinystore_inventory.gate_effect e
       WHERE e.status = 'PENDING' AND e.kind = 'INSTALL' AND e.shop_id = s.shop_id AND e.sku_id = s.sku_id) AS loading
     FROM tinystore_inventory.inventory_stock s WHERE s.shop_id = $1 AND s.sku_id = $2`,
    [sku.shopId, sku.skuId],
  );
  const row = rows[0];
  if (!row) return 'UNKNOWN_SKU';
  if (row.gate_mode !== 'REDIS') return 'OTHER_MODE';
  if (row.loading) return 'BUSY';
  // The load may have finished between the answer and the look.
  if (!(await deps.isStillMissing(sku))) return 'BUSY';
  await deps.reportClosed(`KEY_LOST: ${sku.shopId}/${sku.skuId}`);
  return 'GATE_CLOSED';
}
