/** How the moving parts are doing: gate, outbox, effects, jobs, and a few counts for the console's first page. */
import type { Sql } from '../../platform/index.ts';

export interface GateHealth {
  readonly epoch: number;
  readonly open: boolean;
  /** Since when it is open, or was reported closed. */
  readonly since: Date | null;
  readonly closedReason: string | null;
  /** Why this life of the gate began: the last rebuild. */
  readonly rebuiltBecause: string | null;
  readonly rebuiltBy: string | null;
  /** A rebuild that a person asked for and that is still to come. */
  readonly rebuildAsked: boolean;
  readonly pendingEffects: number;
  readonly oldestEffectSeconds: number;
}

export async function gateHealth(sql: Sql): Promise<GateHealth> {
  return await only<GateHealth>(
    sql,
    `SELECT e.epoch, e.open AND e.closed_reported IS NULL AS open, coalesce(e.closed_since, e.opened_at) AS since,
       r.reason AS "rebuiltBecause", r.actor AS "rebuiltBy",
       EXISTS (SELECT FROM tinystore_inventory.gate_rebuild w WHERE w.opened_at IS NULL) AS "rebuildAsked",
       CASE WHEN e.open AND e.closed_reported IS NULL THEN NULL ELSE e.closed_reason END AS "closedReason",
       p.pending AS "pendingEffects", p.oldest AS "oldestEffectSeconds"
     FROM tinystore_inventory.gate_epoch e CROSS JOIN (
       SELECT count(*) AS pending, coalesce(extract(epoch FROM ops.clock_now() - min(created_at)), 0)::float8 AS oldest
       FROM tinystore_inventory.gate_effect WHERE status = 'PENDING') p
     LEFT JOIN LATERAL (SELECT reason, actor FROM tinystore_inventory.gate_rebuild WHERE opened_at IS NOT NULL
       ORDER BY opened_at DESC LIMIT 1) r ON true`,
  );
}

export interface OutboxHealth {
  readonly pending: number;
  readonly oldestPendingSeconds: number;
  readonly parked: number;
}

export async function outboxHealth(sql: Sql): Promise<OutboxHealth> {
  return await only<OutboxHealth>(
    sql,
    `SELECT count(*) FILTER (WHERE status = 'PENDING') AS pending, count(*) FILTER (WHERE status = 'PARKED') AS parked,
       coalesce(extract(epoch FROM ops.clock_now() - min(occurred_at) FILTER (WHERE status = 'PENDING')), 0)::float8 AS "oldestPendingSeconds"
     FROM tinystore_order.outbox_pending JOIN tinystore_order.outbox_event USING (id)`,
  );
}

/** What is expected of a job; the worker's register is passed in, for core does not know the worker. */
export interface JobExpectation {
  readonly id: string;
  readonly everyMs: number;
}

export interface JobHealth {
  readonly job: string;
  readonly everyMs: number;
  readonly lastStartedAt: Date | null;
  readonly lastOutcome: string | null;
  readonly lastDetail: unknown;
  readonly ageSeconds: number | null;
  /** No run for three intervals. */
  readonly missed: boolean;
}

/** Jobs that run more often leave a row only about this often; below it nothing is missed. */
export const SPARSE_RECORD_MS = 10_000;

export async function jobHealth(sql: Sql, jobs: readonly JobExpectation[]): Promise<JobHealth[]> {
  const { rows } = await sql.query<JobHealth & { ageSeconds: number | null }>(
    `SELECT j.id AS job, j.every_ms AS "everyMs", r.started_at AS "lastStartedAt", r.outcome AS "lastOutcome", r.detail AS "lastDetail",
       extract(epoch FROM ops.clock_now() - r.started_at)::float8 AS "ageSeconds"
     FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS j(id, every_ms, ord)
     LEFT JOIN LATERAL (SELECT * FROM tinystore_inventory.job_run r WHERE r.job = j.id ORDER BY r.id DESC LIMIT 1) r ON true
     ORDER BY j.ord`,
    [jobs.map((job) => job.id), jobs.map((job) => job.everyMs)],
  );
  return rows.map((row) => ({
    ...row,
    missed: row.ageSeconds === null || row.ageSeconds * 1000 > 3 * Math.max(row.everyMs, SPARSE_RECORD_MS),
  }));
}

export interface JobRun {
  readonly id: number;
  readonly job: string;
  readonly worker: string;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly outcome: 'DONE' | 'FAILED' | null;
  readonly detail: unknown;
}

export async function recentJobRuns(sql: Sql, filter: { job?: string; limit?: number } = {}): Promise<JobRun[]> {
  const { rows } = await sql.query<JobRun>(
    `SELECT id, job, worker, started_at AS "startedAt", ended_at AS "endedAt", outcome, detail FROM tinystore_inventory.job_run
     WHERE $1::text IS NULL OR job = $1 ORDER BY id DESC LIMIT $2`,
    [filter.job ?? null, Math.min(filter.limit ?? 50, 500)],
  );
  return rows;
}

export interface Overview {
  readonly trades: Readonly<Record<string, number>>;
  readonly reservations: Readonly<Record<string, number>>;
  readonly openIncidents: number;
  readonly deadLetters: number;
  readonly lastReconcile: { readonly runId: string; readonly at: Date; readonly summary: unknown } | null;
}

export async function readOverview(sql: Sql): Promise<Overview> {
  const counts = await only<Omit<Overview, 'lastReconcile'>>(
    sql,
    `SELECT
       (SELECT coalesce(jsonb_object_agg(status, n), '{}') FROM (SELECT status, count(*) AS n FROM tinystore_order.trade GROUP BY 1) t) AS trades,
       (SELECT coalesce(jsonb_object_agg(status, n), '{}') FROM (SELECT status, count(*) AS n FROM tinystore_inventory.inventory_reservation GROUP BY 1) r) AS reservations,
       (SELECT count(*) FROM ops.incident WHERE status = 'OPEN') AS "openIncidents",
       (SELECT count(*) FROM tinystore_inventory.dead_letter WHERE status IN ('RETRYING', 'PARKED', 'DEAD')) AS "deadLetters"`,
  );
  const { rows } = await sql.query<{ runId: string; at: Date; summary: unknown }>(
    `SELECT run_id AS "runId", at, after AS summary FROM tinystore_inventory.inventory_reconcile_log WHERE kind = 'RUN' ORDER BY id DESC LIMIT 1`,
  );
  return { ...counts, lastReconcile: rows[0] ?? null };
}

async function only<R extends object>(sql: Sql, text: string): Promise<R> {
  const { rows } = await sql.query<R>(text);
  const row = rows[0];
  if (!row) throw new Error('a query that always has one row had none');
  return row;
}
