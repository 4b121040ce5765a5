/** Rows of inventory_reconcile_log: one RUN a run, one FINDING for each SKU worth naming (append-only). */
import type { Sql } from '../platform/index.ts';
import { DRIFT_CAUSES } from './causes.ts';
import type { Comparison } from './compare.ts';
import type { DriftRisk } from './explain.ts';
import { nameOf } from './read-ledger.ts';

export interface RunSummary {
  readonly runId: string;
  /** `closed`: the gate was not open or did not answer, nothing was judged. `cut`: the run ended early; the next goes on. */
  readonly outcome: 'complete' | 'cut' | 'closed';
  /** Asked for some SKUs only; such a run is no predecessor of a whole one. */
  readonly scoped: boolean;
  readonly skus: number;
  readonly judged: number;
  readonly moving: number;
  readonly unknown: number;
  /** The unknown SKUs by what the gate said instead. Only what needs a look at one SKU has a finding too. */
  readonly unknownBy: Readonly<Record<string, number>>;
  /** SKUs with an unexplained difference. */
  readonly differing: number;
  /** Units in flight with their sign, as in a finding, and absolute unexplained units: both figures, all judged SKUs. */
  readonly explained: number;
  readonly unexplained: number;
  readonly reinstalled: number;
  readonly resumeAfter: { readonly shopId: string; readonly skuId: string } | null;
}

export interface PreviousRun {
  readonly summary: Partial<RunSummary>;
  /** Names of the SKUs that had an unexplained difference, with its risk. */
  readonly differing: ReadonlyMap<string, DriftRisk>;
}

export async function readPreviousRun(sql: Sql): Promise<PreviousRun> {
  const { rows } = await sql.query<{ run_id: string; after: Partial<RunSummary> }>(
    `SELECT run_id, after FROM tinystore_inventory.inventory_reconcile_log WHERE kind = 'RUN' AND after->>'scoped' = 'false'
     ORDER BY id DESC LIMIT 1`,
  );
  const run = rows[0];
  if (!run) return { summary: {}, differing: new Map() };
  const findings = await sql.query<{ shopId: string; skuId: string; risk: DriftRisk }>(
    `SELECT shop_id AS "shopId", sku_id AS "skuId", before->>'risk' AS risk FROM tinystore_inventory.inventory_reconcile_log
     WHERE run_id = $1 AND kind = 'FINDING' AND before ? 'risk'`,
    [run.run_id],
  );
  return { summary: run.after, differing: new Map(findings.rows.map((row) => [nameOf(row), row.risk])) };
}

export async function logRun(
  sql: Sql,
  summary: RunSummary,
  before: Partial<RunSummary>,
  epoch: number | null,
  actor: string,
): Promise<void> {
  await sql.query(
    `INSERT INTO tinystore_inventory.inventory_reconcile_log (run_id, kind, before, after, epoch, explained, unexplained, cause, actor)
     VALUES ($1, 'RUN', $2, $3, $4, $5, $6, $7, $8)`,
    [
      summary.runId,
      JSON.stringify(before),
      JSON.stringify(summary),
      epoch,
      summary.explained,
      summary.unexplained,
      sentenceOf(summary),
      actor,
    ],
  );
}

export async function logFindings(
  sql: Sql,
  runId: string,
  findings: readonly Comparison[],
  actor: string,
): Promise<void> {
  if (findings.length === 0) return;
  const rows = findings.map((finding) => rowOf(finding));
  await sql.query(
    `INSERT INTO tinystore_inventory.inventory_reconcile_log
       (run_id, kind, shop_id, sku_id, before, after, epoch, generation, version, explained, unexplained, cause, actor)
     SELECT $1, 'FINDING', f.shop_id, f.sku_id, f.before, f.after, f.epoch, f.generation, f.version, f.explained, f.unexplained, f.cause, $2
     FROM jsonb_to_recordset($3::jsonb) AS f(shop_id text, sku_id text, before jsonb, after jsonb, epoch bigint, generation bigint,
       version bigint, explained bigint, unexplained bigint, cause text)`,
    [runId, actor, JSON.stringify(rows)],
  );
}

/** `before` is the gate as found with its rows, `after` what the ledger says it should be. */
function rowOf(finding: Comparison) {
  const sku = { shop_id: finding.shopId, sku_id: finding.skuId };
  // A broken key holds nothing back, so it is of the risk that cannot wait (P37).
  const risk = finding.kind === 'unknown' && finding.why === 'BROKEN_KEY' ? { risk: 'oversell' as const } : {};
  if (finding.kind !== 'judged') {
    const why = finding.kind === 'unknown' ? finding.why : finding.kind;
    return {
      ...sku,
      before: { unknown: why, ...risk },
      after: {},
      explained: 0,
      unexplained: 0,
      cause: why === 'BROKEN_KEY' ? 'a broken key at the gate' : `the gate could not be read: ${why}`,
    };
  }
  const { gate, explanation: e } = finding;
  return {
    ...sku,
    before: { risk: e.risk, total: gate.total, deducted: gate.deducted, holds: gate.holds.length, rows: e.rows },
    after: { total: e.capacity.expected, deducted: e.deducted.expected },
    epoch: gate.epoch,
    generation: gate.generation,
    version: gate.version,
    explained: e.deducted.inFlight + e.capacity.inFlight,
    unexplained: e.deducted.unexplained + e.capacity.unexplained,
    cause: e.rows
      .filter((row) => !DRIFT_CAUSES[row.cause].explained)
      .map((row) => `${row.cause} ${row.units}`)
      .join(', '),
  };
}

function sentenceOf(summary: RunSummary): string {
  if (summary.outcome === 'closed') return 'the gate is closed or does not answer; nothing was judged';
  return `${summary.judged} of ${summary.skus} SKUs judged, ${summary.differing} with an unexplained difference`;
}
