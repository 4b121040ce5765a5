/** The reconcile log, newest first: runs, findings and repairs, by kind, shop, SKU or cause. */
import type { Sql } from '../../platform/index.ts';
import { DRIFT_CAUSES, type DriftCause } from '../../reconcile/index.ts';

export const LOG_KINDS = ['RUN', 'FINDING', 'REPAIR'] as const;
export type LogKind = (typeof LOG_KINDS)[number];
/** What a SKU differs by, or why its figures were not known. */
export const LOG_CAUSES: readonly string[] = [
  ...(Object.keys(DRIFT_CAUSES) as DriftCause[]).filter((cause) => !DRIFT_CAUSES[cause].explained),
  ...['BROKEN_KEY', 'NOT_LOADED', 'BUSY', 'STALE_EPOCH'],
];

export interface LogFilter {
  readonly kind?: LogKind;
  readonly shopId?: string;
  readonly skuId?: string;
  readonly cause?: string;
  readonly runId?: string;
  /** Entries before this one. */
  readonly cursor?: number;
  readonly limit: number;
}

export interface LogEntry {
  readonly id: number;
  readonly runId: string;
  readonly kind: LogKind;
  readonly shopId: string | null;
  readonly skuId: string | null;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  readonly epoch: number | null;
  readonly generation: number | null;
  readonly version: number | null;
  readonly explained: number;
  readonly unexplained: number;
  readonly cause: string;
  readonly actor: string;
  readonly at: Date;
}

export interface LogPage {
  readonly entries: readonly LogEntry[];
  readonly next: number | null;
}

export async function listReconcileLog(sql: Sql, filter: LogFilter): Promise<LogPage> {
  const { kind, shopId, skuId, cause, runId, cursor, limit } = filter;
  const { rows } = await sql.query<LogEntry>(
    `SELECT id, run_id AS "runId", kind, shop_id AS "shopId", sku_id AS "skuId", before, after, epoch, generation, version,
       explained, unexplained, cause, actor, at
     FROM tinystore_inventory.inventory_reconcile_log
     WHERE ($1::text IS NULL OR kind = $1) AND ($2::text IS NULL OR shop_id = $2) AND ($3::text IS NULL OR sku_id = $3)
       AND ($4::text IS NULL OR before->>'unknown' = $4
         OR before @> jsonb_build_object('rows', jsonb_build_array(jsonb_build_object('cause', $4))))
       AND ($5::uuid IS NULL OR run_id = $5) AND ($6::bigint IS NULL OR id < $6)
     ORDER BY id DESC LIMIT $7`,
    [kind ?? null, shopId ?? null, skuId ?? null, cause ?? null, runId ?? null, cursor ?? null, limit + 1],
  );
  return { entries: rows.slice(0, limit), next: rows.length > limit ? (rows[limit - 1]?.id ?? null) : null };
}
