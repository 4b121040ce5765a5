/** The movements of one SKU by kind, up to an instant and of all time. */
import type { SkuRef } from '../../gate/index.ts';
import type { Tx } from '../../platform/index.ts';

export interface Tally {
  readonly count: number;
  readonly units: number;
}
export type MovementKind = 'RECEIPT' | 'RESTOCK' | 'CONFIRM' | 'SHRINK';
export const MOVEMENT_KINDS: readonly MovementKind[] = ['RECEIPT', 'RESTOCK', 'CONFIRM', 'SHRINK'];

export type MovementSums = Readonly<Record<MovementKind, Tally>>;
export const NONE: Tally = { count: 0, units: 0 };

export async function sumMovements(
  tx: Tx,
  sku: SkuRef,
  at: Date | 'infinity',
): Promise<{ upTo: MovementSums; ever: MovementSums }> {
  const { rows } = await tx.query<{ kind: MovementKind; n: number; units: number; n_then: number; units_then: number }>(
    `SELECT kind, count(*) AS n, sum(quantity)::bigint AS units, count(*) FILTER (WHERE at <= $3) AS n_then,
       coalesce(sum(quantity) FILTER (WHERE at <= $3), 0)::bigint AS units_then
     FROM tinystore_inventory.stock_movement WHERE shop_id = $1 AND sku_id = $2 GROUP BY kind`,
    [sku.shopId, sku.skuId, at],
  );
  const upTo = { RECEIPT: NONE, RESTOCK: NONE, CONFIRM: NONE, SHRINK: NONE };
  const ever = { ...upTo };
  for (const { kind, n, units, n_then, units_then } of rows) {
    upTo[kind] = { count: n_then, units: units_then };
    ever[kind] = { count: n, units };
  }
  return { upTo, ever };
}
