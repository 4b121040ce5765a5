/**
 * Which SKUs have fewer free units than these lines want together. The stock rows stay locked, so what fits now is
 * still there when the same transaction records it.
 */
import type { Sql } from '../platform/index.ts';
import { lockStock } from './sql/lock-rows.ts';
import { keyOf, RESERVE, type SkuKey, sumBySku } from './sum-by-sku.ts';

export async function findShort(
  tx: Sql,
  lines: readonly (SkuKey & { readonly quantity: number })[],
): Promise<SkuKey[]> {
  const wanted = sumBySku([{ lines, change: RESERVE }]);
  const free = new Map((await lockStock(tx, wanted)).map((s) => [keyOf(s), s.total - s.reserved]));
  return wanted.filter((sku) => sku.reserved > (free.get(keyOf(sku)) ?? 0));
}
