/** What reconcile and the ghost sweep would do now: the same looks, nothing written to either book (P36, P17). */
import type { SkuRef } from '../gate/index.ts';
import { type CompareDeps, compareSkus } from './compare.ts';
import { nameOf } from './read-ledger.ts';
import { readPreviousRun } from './reconcile-log.ts';
import { isBroken } from './repair.ts';
import { lookForOldHolds, type SweepDeps } from './sweep-ghost-holds.ts';

export interface Preview {
  readonly scanned: number;
  readonly changed: number;
}

const PAGE = 200;
const MAX_PAGES = 10_000;

export async function previewReconcile(deps: CompareDeps): Promise<Preview> {
  const previous = await readPreviousRun(deps.pool);
  let [scanned, changed] = [0, 0];
  let after: SkuRef | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const skus: SkuRef[] = await readPage(deps, after);
    for (const found of skus.length > 0 ? await compareSkus(deps, skus) : []) {
      scanned++;
      if (found.kind === 'unknown' && isBroken(found) && !found.ledger.reloadPending) changed++;
      if (found.kind !== 'judged' || found.explanation.agrees) continue;
      if (found.explanation.risk === 'oversell' || previous.differing.has(nameOf(found))) changed++;
    }
    after = skus.at(-1) ?? null;
    if (skus.length < PAGE) break;
  }
  return { scanned, changed };
}

export async function previewSweep(deps: SweepDeps): Promise<Preview> {
  const { looked, holds } = await lookForOldHolds(deps, null);
  return { scanned: looked, changed: holds.filter((hold) => hold.verdict !== 'unproven').length };
}

async function readPage({ pool }: CompareDeps, after: SkuRef | null): Promise<SkuRef[]> {
  const { rows } = await pool.query<SkuRef>(
    `SELECT shop_id AS "shopId", sku_id AS "skuId" FROM tinystore_inventory.inventory_stock
     WHERE gate_mode = 'REDIS' AND ($1::text IS NULL OR (shop_id, sku_id) > ($1, $2)) ORDER BY shop_id, sku_id LIMIT ${PAGE}`,
    [after?.shopId ?? null, after?.skuId ?? null],
  );
  return rows;
}
