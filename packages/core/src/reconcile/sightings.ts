/**
 * What the log says of SKUs that differ now: whether they differed in the round before as well (P37), and under which
 * generation they were last loaded anew. Asked only for those few; a round may be several runs, and a run of one SKU
 * by a person counts like any other.
 */
import type { SkuRef } from '../gate/index.ts';
import type { Sql } from '../platform/index.ts';
import { FIRST_SIGHTING, type Sighting } from './plan-repair.ts';
import { nameOf } from './read-ledger.ts';
import { readLastRun } from './reconcile-log.ts';

export interface RoundBefore {
  readonly runId: string;
  /** Rows of the log up to this one are older than the round before. */
  readonly sinceId: number;
}

/** The round through all SKUs that a whole run begins or goes on with now. */
export async function readRound(sql: Sql): Promise<number> {
  const { round = 0, outcome } = await readLastRun(sql, 'all');
  return outcome === 'complete' ? round + 1 : Math.max(1, round);
}

/** @param round the present one */
export async function findRoundBefore(sql: Sql, runId: string, round: number): Promise<RoundBefore> {
  const { rows } = await sql.query<{ id: number }>(
    `SELECT id FROM tinystore_inventory.inventory_reconcile_log
     WHERE kind = 'RUN' AND after->>'scope' = 'all' AND (after->>'round')::bigint < $1 ORDER BY id DESC LIMIT 1`,
    [round - 1],
  );
  return { runId, sinceId: rows[0]?.id ?? 0 };
}

export async function readSightings(
  sql: Sql,
  { runId, sinceId }: RoundBefore,
  skus: readonly SkuRef[],
): Promise<(sku: SkuRef) => Sighting> {
  if (skus.length === 0) return () => FIRST_SIGHTING;
  const { rows } = await sql.query<SkuRef & Sighting>(
    `SELECT l.shop_id AS "shopId", l.sku_id AS "skuId", bool_or(l.kind = 'FINDING' AND l.before ? 'risk') AS differed,
       max(l.generation) FILTER (WHERE l.kind = 'REPAIR' AND l.after->>'action' = 'INSTALL') AS "reinstalledAs"
     FROM unnest($1::text[], $2::text[]) AS s(shop_id, sku_id)
     JOIN tinystore_inventory.inventory_reconcile_log l ON l.shop_id = s.shop_id AND l.sku_id = s.sku_id AND l.id > $3
     WHERE l.run_id <> $4 GROUP BY 1, 2`,
    [skus.map((sku) => sku.shopId), skus.map((sku) => sku.skuId), sinceId, runId],
  );
  const found = new Map(rows.map((row) => [nameOf(row), row]));
  return (sku) => found.get(nameOf(sku)) ?? FIRST_SIGHTING;
}
