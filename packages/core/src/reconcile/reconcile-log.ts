/** Rows of inventory_reconcile_log: one RUN a run, one FINDING for each SKU worth naming, one REPAIR each (append-only). */
import type { SkuRef } from '../gate/index.ts';
import type { Sql } from '../platform/index.ts';
import { DRIFT_CAUSES } from './causes.ts';
import type { Comparison } from './compare.ts';
import { isStuck } from './plan-repair.ts';

export interface RunSummary {
  readonly runId: string;
  /** `closed`: the gate was not open or did not answer, nothing was judged. `cut`: the run ended early; the next goes on. */
  readonly outcome: 'complete' | 'cut' | 'closed';
  /** `all`, a shop, or SKUs of it. A run goes on where the last one of the same scope was cut. */
  readonly scope: string;
  /** Asked for some SKUs only; such a run is no predecessor of a whole one. */
  readonly scoped: boolean;
  /** Counts the rounds through all SKUs; a round may take several runs. */
  readonly round: number;
  /** Why a person asked for it. */
  readonly reason?: string;
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
  /** SKUs loaded anew, and SKUs whose missing effects were put back. */
  readonly reinstalled: number;
  readonly effectsIssued: number;
  readonly resumeAfter: { readonly shopId: string; readonly skuId: string } | null;
}

/** The last run of this scope; nothing when there was none. */
export async function readLastRun(sql: Sql, scope: string): Promise<Partial<RunSummary>> {
  const { rows } = await sql.query<{ after: Partial<RunSummary> }>(
    `SELECT after FROM tinystore_inventory.inventory_reconcile_log
     WHERE kind = 'RUN' AND coalesce(after->>'scope', CASE after->>'scoped' WHEN 'false' THEN 'all' END) = $1
     ORDER BY id DESC LIMIT 1`,
    [scope],
  );
  return rows[0]?.after ?? {};
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

export interface Repair extends SkuRef {
  readonly runId: string;
  readonly actor: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly epoch: number;
  readonly generation: number;
  readonly version?: number;
  readonly unexplained?: number;
  readonly cause: string;
}

/** A repair that has no transaction of its own to be logged in: the sweep's, and the asking for a rebuild. */
export async function logRepair(sql: Sql, repair: Repair): Promise<void> {
  await sql.query(
    `INSERT INTO tinystore_inventory.inventory_reconcile_log
       (run_id, kind, shop_id, sku_id, before, after, epoch, generation, version, unexplained, cause, actor)
     VALUES ($1, 'REPAIR', $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      repair.runId,
      repair.shopId,
      repair.skuId,
      JSON.stringify(repair.before),
      JSON.stringify(repair.after),
      repair.epoch,
      repair.generation,
      repair.version ?? null,
      repair.unexplained ?? 0,
      repair.cause,
      repair.actor,
    ],
  );
}

const UNKNOWN_SENTENCES: Readonly<Record<string, string>> = {
  BROKEN_KEY: 'a broken key at the gate',
  BUSY: 'a load that nobody finishes; the gate is rebuilt',
  STALE_EPOCH: 'loaded under another epoch; the gate is rebuilt',
  NOT_LOADED: 'a key of the SKU is missing; the gate is rebuilt',
};

/** `before` is the gate as found with its rows, `after` what the ledger says it should be. */
function rowOf(finding: Comparison) {
  const sku = { shop_id: finding.shopId, sku_id: finding.skuId };
  if (finding.kind !== 'judged') {
    const why = finding.kind === 'unknown' ? finding.why : finding.kind;
    const ledger = 'ledger' in finding ? finding.ledger : undefined;
    return {
      ...sku,
      // A SKU that nobody can sell holds nothing back, so it is of the risk that cannot wait (P37).
      before: {
        unknown: why,
        ...('key' in finding && { key: finding.key }),
        ...(isStuck(finding) && { risk: 'oversell' as const }),
      },
      after: {},
      epoch: ledger?.epoch,
      generation: ledger?.generation,
      explained: 0,
      unexplained: 0,
      cause: UNKNOWN_SENTENCES[why] ?? `the gate could not be read: ${why}`,
    };
  }
  const { gate, ledger, explanation: e } = finding;
  return {
    ...sku,
    before: { risk: e.risk, total: gate.total, deducted: gate.deducted, holds: gate.holds.length, rows: e.rows },
    after: {
      total: e.capacity.expected,
      deducted: e.deducted.expected,
      totalQuantity: ledger.totalQuantity,
      confirmedQuantity: ledger.confirmedQuantity,
      preDeducted: e.deducted.preDeducted,
    },
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
