/** Switches to DATABASE that a crash has left half-way (P20): each is gone on with from where it is; doubled runs change nothing. */
import type { Log } from '../platform/index.ts';
import type { SkuKey } from './sum-by-sku.ts';
import { finishSwitch, type SwitchDeps } from './switch-gate-mode.ts';

export interface FinishedSwitches {
  readonly scanned: number;
  readonly finished: number;
  /** `shop/SKU` of those that are left to the next run. */
  readonly failed: string[];
}

export async function finishSwitches(
  deps: SwitchDeps & { readonly log: Log },
  { limit }: { readonly limit: number },
): Promise<FinishedSwitches> {
  const { rows } = await deps.pool.query<SkuKey>(
    `SELECT shop_id AS "shopId", sku_id AS "skuId" FROM tinystore_inventory.inventory_stock
     WHERE gate_mode <> 'REDIS' AND gate_mode = 'SWITCHING' ORDER BY shop_id, sku_id LIMIT $1`,
    [limit],
  );
  let finished = 0;
  const failed: string[] = [];
  for (const sku of rows)
    try {
      if ((await finishSwitch(deps, sku)) === 'SWITCHING') failed.push(`${sku.shopId}/${sku.skuId}`);
      else finished++;
    } catch (error) {
      deps.log.warn({ error: String(error), ...sku }, 'a mode switch could not be finished');
      failed.push(`${sku.shopId}/${sku.skuId}`);
    }
  if (finished > 0) deps.waker.wake('effects');
  return { scanned: rows.length, finished, failed };
}
