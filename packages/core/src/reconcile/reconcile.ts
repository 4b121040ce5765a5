/**
 * The reconcile run (design section 11): compares every REDIS-mode SKU in pages, names each difference, repairs
 * what P37 allows, and logs. Two runs at once change nothing twice: a re-install is guarded by the generation.
 */
import { mint } from '../domain/index.ts';
import { readEpoch, type SkuRef } from '../gate/index.ts';
import type { Log, Metrics, Sql, Waker } from '../platform/index.ts';
import { type CompareDeps, type Comparison, compareSkus } from './compare.ts';
import { nameOf } from './read-ledger.ts';
import { logFindings, logRun, type PreviousRun, type RunSummary, readPreviousRun } from './reconcile-log.ts';
import { type Broken, isBroken, type Judged, repair } from './repair.ts';
import { tendDriftIncidents } from './tend-drift-incidents.ts';

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
  /** Compared and logged together; default 4 000. */
  readonly skusAPage?: number;
}

const SKUS_A_PAGE = 4000;
const MAX_PAGES = 10_000;
const BUDGET_MS = 120_000;
/** A broken gate must not become one write per SKU: the rest waits for the next run. */
const MAX_REINSTALLS_A_RUN = 500;
/** The gate as a whole is away: nothing is learned from one SKU after the other. */
const AWAY: ReadonlySet<string> = new Set(['GATE_CLOSED', 'NO_ANSWER']);
/** No news of this one SKU; a row each, in a log that only grows, would tell nothing that the run's counts do not. */
const PASSING: ReadonlySet<string> = new Set([...AWAY, 'STALE_EPOCH', 'BUSY', 'NOT_LOADED']);

export async function reconcile(deps: ReconcileDeps, scope: ReconcileScope = {}): Promise<RunSummary> {
  const { pool, metrics, log } = deps;
  const actor = scope.actor ?? 'reconcile';
  const previous = await readPreviousRun(pool);
  const epoch = await readEpoch(pool);
  let summary = startSummary(previous, scope);
  const pageSize = scope.skusAPage ?? SKUS_A_PAGE;
  const deadline = performance.now() + (scope.budgetMs ?? BUDGET_MS);
  if (!epoch.open || epoch.closedReported) summary = { ...summary, outcome: 'closed', resumeAfter: null };
  else
    for (let page = 0; page < MAX_PAGES; page++) {
      const skus = await readPage(pool, scope, summary.resumeAfter, pageSize);
      const before = summary;
      const found = skus.length > 0 ? await compareSkus(deps, skus) : [];
      if (found.length > 0) summary = await judgePage(deps, found, previous, summary, actor);
      if (found.length > 0 && found.every((c) => c.kind === 'unknown' && AWAY.has(c.why))) {
        summary = { ...summary, outcome: summary.judged === 0 ? 'closed' : 'cut', resumeAfter: before.resumeAfter };
        break;
      }
      const last = skus.length === pageSize ? skus.at(-1) : undefined;
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

async function judgePage(
  deps: ReconcileDeps,
  found: readonly Comparison[],
  previous: PreviousRun,
  sofar: RunSummary,
  actor: string,
): Promise<RunSummary> {
  const judged = found.filter((c) => c.kind === 'judged');
  const differing = judged.filter((c) => !c.explanation.agrees);
  const unknown = found.filter((c) => c.kind === 'unknown');
  const broken = unknown.filter(isBroken);
  const named = unknown.filter((c) => !PASSING.has(c.why));
  await logFindings(deps.pool, sofar.runId, [...differing, ...named], actor);
  await tendDriftIncidents(deps.pool, { judged, broken, previous, runId: sofar.runId });
  const due: (Judged | Broken)[] = [
    ...broken.filter((c) => !c.ledger.reloadPending),
    ...differing.filter((c) => c.explanation.risk === 'oversell' || previous.differing.has(nameOf(c))),
  ];
  let reinstalled = 0;
  for (const comparison of due.slice(0, Math.max(0, MAX_REINSTALLS_A_RUN - sofar.reinstalled)))
    if (await repair(deps, comparison, sofar.runId, actor)) reinstalled++;
  return {
    ...sofar,
    skus: sofar.skus + found.length,
    judged: sofar.judged + judged.length,
    moving: sofar.moving + found.filter((c) => c.kind === 'moving').length,
    unknown: sofar.unknown + unknown.length,
    unknownBy: countBy(sofar.unknownBy, unknown),
    differing: sofar.differing + differing.length,
    explained: sofar.explained + sumOf(judged.map(({ explanation: e }) => e.deducted.inFlight + e.capacity.inFlight)),
    unexplained: sofar.unexplained + sumOf(judged.map((c) => c.explanation.unexplainedUnits)),
    reinstalled: sofar.reinstalled + reinstalled,
  };
}

async function readPage(
  sql: Sql,
  scope: ReconcileScope,
  after: RunSummary['resumeAfter'],
  limit: number,
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
    unknownBy: {},
    differing: 0,
    explained: 0,
    unexplained: 0,
    reinstalled: 0,
    resumeAfter: scoped ? null : (previous.summary.resumeAfter ?? null),
  };
}

function countBy(
  sofar: RunSummary['unknownBy'],
  unknown: readonly { readonly why: string }[],
): RunSummary['unknownBy'] {
  const counts = { ...sofar };
  for (const { why } of unknown) counts[why] = (counts[why] ?? 0) + 1;
  return counts;
}

function sumOf(units: readonly number[]): number {
  return units.reduce((total, n) => total + n, 0);
}
