/** The last reconcile runs, newest first, each with what it found and repaired. */

import type { Sql } from '../../platform/index.ts';
import type { RunSummary } from '../../reconcile/index.ts';

export interface ReconcileRun {
  readonly runId: string;
  readonly at: Date;
  readonly actor: string;
  readonly cause: string;
  readonly summary: RunSummary;
  readonly findings: readonly {
    readonly kind: 'FINDING' | 'REPAIR';
    readonly shopId: string;
    readonly skuId: string;
    readonly explained: number;
    readonly unexplained: number;
    readonly cause: string;
    readonly before: Record<string, unknown>;
    readonly after: Record<string, unknown>;
  }[];
}

/** Findings shown of one run; the log has them all. */
const FINDINGS_A_RUN = 50;

export async function listReconcileRuns(sql: Sql, { limit }: { readonly limit: number }): Promise<ReconcileRun[]> {
  const { rows } = await sql.query<ReconcileRun>(
    `SELECT r.run_id AS "runId", r.at, r.actor, r.cause, r.after AS summary, coalesce(f.findings, '[]') AS findings
     FROM (SELECT * FROM tinystore_inventory.inventory_reconcile_log WHERE kind = 'RUN' ORDER BY id DESC LIMIT $1) r
     LEFT JOIN LATERAL (
       SELECT jsonb_agg(jsonb_build_object('kind', f.kind, 'shopId', f.shop_id, 'skuId', f.sku_id, 'explained', f.explained,
         'unexplained', f.unexplained, 'cause', f.cause, 'before', f.before, 'after', f.after) ORDER BY f.id) AS findings
       FROM (SELECT * FROM tinystore_inventory.inventory_reconcile_log f WHERE f.run_id = r.run_id AND f.kind <> 'RUN' ORDER BY f.id LIMIT $2) f) f ON true
     ORDER BY r.id DESC`,
    [Math.min(limit, 200), FINDINGS_A_RUN],
  );
  return rows;
}
