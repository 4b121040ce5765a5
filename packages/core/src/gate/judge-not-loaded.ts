/**
 * A take answered NOT_LOADED (P9). The ledger says what that means: no such SKU, a load on its way, another mode,
 * or a key lost within its epoch, which closes the gate. A lost key is never put back within its generation.
 */
import type { Pool } from '../platform/index.ts';
import type { GateCaller } from './gate-call.ts';
import { type SkuRef, skuKeys } from './keys.ts';

export type NotLoaded = 'UNKNOWN_SKU' | 'BUSY' | 'GATE_CLOSED' | 'STALE_EPOCH';

export async function judgeNotLoaded(
  deps: { pool: Pool; caller: GateCaller },
  sku: SkuRef,
  epoch: number,
): Promise<NotLoaded> {
  const { rows } = await deps.pool.query<{ gate_mode: string; loading: boolean }>(
    `SELECT s.gate_mode, EXISTS (SELECT 1 FROM tinystore_inventory.gate_effect e
       WHERE e.status = 'PENDING' AND e.kind = 'INSTALL' AND e.shop_id = s.shop_id AND e.sku_id = s.sku_id) AS loading
     FROM tinystore_inventory.inventory_stock s WHERE s.shop_id = $1 AND s.sku_id = $2`,
    [sku.shopId, sku.skuId],
  );
  const row = rows[0];
  if (!row) return 'UNKNOWN_SKU';
  if (row.loading || row.gate_mode !== 'REDIS') return 'BUSY';
  // The load may have finished between the take and the look: read the key once more before calling it lost.
  const reply = await deps.caller.call('read', skuKeys(sku), () => ['0', '0', '0', '0']);
  if (reply.kind !== 'reply') return 'GATE_CLOSED';
  if (reply.parts[0] !== 'NOT_LOADED') return reply.parts[0] === 'STALE_EPOCH' ? 'STALE_EPOCH' : 'BUSY';
  await deps.caller.reportClosed(epoch, `KEY_LOST: ${sku.shopId}/${sku.skuId}`);
  return 'GATE_CLOSED';
}
