/** Which SKUs a run, a dry run or a preview looks at, page by page: all, one shop, or some of its SKUs. */
import type { SkuRef } from '../gate/index.ts';
import type { Sql } from '../platform/index.ts';

export interface SkuScope {
  readonly shopId?: string;
  readonly skuIds?: readonly string[];
}

export const SKUS_A_PAGE = 4000;

/** The same text for the same scope, so that a run finds its predecessor. */
export function nameScope({ shopId, skuIds }: SkuScope): string {
  if (shopId === undefined && skuIds === undefined) return 'all';
  return [`shop ${shopId ?? 'any'}`, ...(skuIds ? [`skus ${[...skuIds].sort().join(',')}`] : [])].join(' ');
}

/** The next SKUs at the gate after `after`; fewer than a page means that none is left. */
export async function readScopePage(
  sql: Sql,
  scope: SkuScope,
  after: SkuRef | null,
  limit = SKUS_A_PAGE,
): Promise<SkuRef[]> {
  const { rows } = await sql.query<SkuRef>(
    `SELECT shop_id AS "shopId", sku_id AS "skuId" FROM tinystore_inventory.inventory_stock
     WHERE gate_mode = 'REDIS' AND ($1::text IS NULL OR shop_id = $1) AND ($2::text[] IS NULL OR sku_id = ANY ($2))
       AND ($3::text IS NULL OR (shop_id, sku_id) > ($3, $4))
     ORDER BY shop_id, sku_id LIMIT $5`,
    [scope.shopId ?? null, scope.skuIds ?? null, after?.shopId ?? null, after?.skuId ?? null, limit],
  );
  return rows;
}
