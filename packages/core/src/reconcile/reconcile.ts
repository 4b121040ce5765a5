/**
 * The reconcile run (design section 11): compares every REDIS-mode SKU in pages, names each difference, repairs
 * what P37 allows, and logs. Two runs at once change nothing twice: a re-install is guarded by the generation.
 */
import { mint } from '../domain/index.ts';
import { readEpoch, type SkuRef } from '../gate/index.ts';
import { closeIncident, listIncidents, openIncident } from '../ops/index.ts';
import type { Log, Metrics, Sql, Waker } from '../platform/index.ts';
import { type CompareDeps, type Comparison, compareSkus } from './compare.ts';
import { nameOf } from './read-ledger.ts';
import { logFindings, logRun, type PreviousRun, type RunSummary, readPreviousRun } from './reconcile-log.ts';
import { reinstallSku } from './reinstall.ts';

export interface ReconcileDeps extends CompareDeps {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly waker: Waker;
}

export interface ReconcileScope {
  readonly shopId?: string;
  readonly skuIds?: readonly string[];
  readonly actor?: string;
  /** The run stops between pages after this long and the next one goes on there. */
  readonly budgetMs?: number;
}

type Judged = Extract<Comparison, { kind: 'judged' }>;

const PAGE = 200;
const MAX_PAGES = 10_000;
const BUDGET_MS = 120_000;
/** A broken gate must not become one write per SKU: the rest waits for the next run. */
const MAX_REINSTALLS_A_RUN = 500;

export async function reconcile(deps: ReconcileDeps, scope: ReconcileScope = {}): Promise<RunSummary> {
  const { pool, metrics, log } = deps;
  const actor = scope.actor ?? 'reconcile';
  const previous = await readPreviousRun(pool);
  const epoch = await readEpoch(pool);
  let summary = startSummary(previous, scope);
  const deadline = performance.now() + (scope.budgetMs ?? BUDGET_MS);
  if (!epoch.open || epoch.closedReported) summary = { ...summary, outcome: 'closed', resumeAfter: null };
  else
    for (let page = 0; page < MAX_PAGES; page++) {
      const skus = await readPage(pool, scope, summary.resumeAfter);
      if (skus.length > 0) summary = await runPage(deps, skus, previous, summary, actor);
      const last = skus.length === PAGE ? skus[PAGE - 1] : undefined;
      summary = {
        ...summary,
        outcome: last ? 'cut' : 'complete',
        resumeAfter: last ? { shopId: last.shopId, skuId: last.skuId } : null,
      };
      if (!last || performance.now() > deadline) break;
    }
  await logRun(pool, summary, previous.summary, epoch.epoch, actor);
  // Unknown is never zero: a run that could judge nothing leaves no number behind.
  const nothingJudged = summary.outcome === 'closed' || (summary.skus > 0 && summary.judged === 0);
  if (!summary.scoped) metrics.unexplainedDrift.set(nothingJudged ? Number.NaN : summary.unexplained);
  log.info({ ...summary }, 'reconcile run');
  return summary;
}

async function runPage(
  deps: ReconcileDeps,
  skus: readonly SkuRef[],
  previous: PreviousRun,
  sofar: RunSummary,
  actor: string,
): Promise<RunSummary> {
  const found = await compareSkus(deps, skus);
  const judged = found.filter((c) => c.kind === 'judged');
  const differing = judged.filter((c) => !c.explanation.agrees);
  const unknown = found.filter((c) => c.kind === 'unknown');
  await logFindings(deps.pool, sofar.runId, [...differing, ...unknown], actor);
  await tendIncidents(deps.pool, judged, previous, sofar.runId);
  const due = differing
    .filter((c) => c.explanation.risk === 'oversell' || previous.differing.has(nameOf(c)))
    .slice(0, Math.max(0, MAX_REINSTALLS_A_RUN - sofar.reinstalled));
  let reinstalled = 0;
  for (const comparison of due) if (await repair(deps, comparison, sofar.runId, actor)) reinstalled++;
  return {
    ...sofar,
    skus: sofar.skus + found.length,
    judged: sofar.judged + judged.length,
    moving: sofar.moving + found.filter((c) => c.kind === 'moving').length,
    unknown: sofar.unknown + unknown.length,
    differing: sofar.differing + differing.length,
    explained: sofar.explained + sumOf(judged.map(({ explanation: e }) => e.deducted.inFlight + e.capacity.inFlight)),
    unexplained: sofar.unexplained + sumOf(judged.map((c) => c.explanation.unexplainedUnits)),
    reinstalled: sofar.reinstalled + reinstalled,
  };
}

/** P37: held too little at once, held too much when it still differs in the next run. Never a number written blindly. */
async function repair(
  { pool, waker, log }: ReconcileDeps,
  found: Judged,
  runId: string,
  actor: string,
): Promise<boolean> {
  const { gate, explanation } = found;
  const outcome = await reinstallSku(pool, {
    shopId: found.shopId,
    skuId: found.skuId,
    generation: found.ledger.generation,
    runId,
    actor,
    cause: explanation.risk === 'oversell' ? 'held too little' : 'held too much in two runs in a row',
    before: {
      generation: found.ledger.generation,
      total: gate.total,
      deducted: gate.deducted,
      holds: gate.holds.length,
      rows: explanation.rows,
    },
    epoch: gate.epoch,
    version: gate.version,
    unexplained: explanation.deducted.unexplained + explanation.capacity.unexplained,
  });
  if (outcome.kind === 'reinstalling') waker.wake('effects');
  else log.info({ shopId: found.shopId, skuId: found.skuId, outcome: outcome.kind }, 're-install left to the next run');
  return outcome.kind === 'reinstalling';
}

/** An incident opens at the second sighting in a row and closes by itself once the SKU was judged and agrees. */
async function tendIncidents(sql: Sql, judged: readonly Judged[], previous: PreviousRun, runId: string): Promise<void> {
  const open = new Set(
    (await listIncidents(sql, { status: 'OPEN', kind: 'UNEXPLAINED_DRIFT', limit: 500 })).map(
      (incident) => incident.subject,
    ),
  );
  for (const found of judged) {
    const subject = nameOf(found);
    if (found.explanation.agrees) {
      if (open.has(subject)) await closeIncident(sql, { kind: 'UNEXPLAINED_DRIFT', subject, by: 'reconcile' });
    } else if (previous.differing.has(subject) && !open.has(subject))
      await openIncident(sql, { kind: 'UNEXPLAINED_DRIFT', subject, detail: { runId, rows: found.explanation.rows } });
  }
}

async function readPage(sql: Sql, scope: ReconcileScope, after: RunSummary['resumeAfter']): Promise<SkuRef[]> {
  const { rows } = await sql.query<SkuRef>(
    `SELECT shop_id AS "shopId", sku_id AS "skuId" FROM tinystore_inventory.inventory_stock
     WHERE gate_mode = 'REDIS' AND ($1::text IS NULL OR shop_id = $1) AND ($2::text[] IS NULL OR sku_id = ANY ($2))
       AND ($3::text IS NULL OR (shop_id, sku_id) > ($3, $4))
     ORDER BY shop_id, sku_id LIMIT $5`,
    [scope.shopId ?? null, scope.skuIds ?? null, after?.shopId ?? null, after?.skuId ?? null, PAGE],
  );
  return rows;
}

function startSummary(previous: PreviousRun, scope: ReconcileScope): RunSummary {
  const scoped = scope.shopId !== undefined || scope.skuIds !== undefined;
  return {
    runId: mint(),
    outcome: 'complete',
    scoped,
    skus: 0,
    judged: 0,
    moving: 0,
    unknown: 0,
    differing: 0,
    explained: 0,
    unexplained: 0,
    reinstalled: 0,
    resumeAfter: scoped ? null : (previous.summary.resumeAfter ?? null),
  };
}

function sumOf(units: readonly number[]): number {
  return units.reduce((total, n) => total + n, 0);
}
