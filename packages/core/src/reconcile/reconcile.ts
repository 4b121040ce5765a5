/**
 * The reconcile run (design section 11): compares every REDIS-mode SKU in pages, names each difference, repairs
 * what P37 allows, and logs. Two runs at once change nothing twice: a re-install is guarded by the generation, an
 * effect by its status.
 */
import { mint } from '../domain/index.ts';
import { readEpoch } from '../gate/index.ts';
import { appendAudit } from '../ops/index.ts';
import { inTransaction, type Log, type Metrics, type Tx, type Waker } from '../platform/index.ts';
import { type CompareDeps, type Comparison, compareSkus } from './compare.ts';
import { judgePage } from './judge-page.ts';
import { logRun, type RunSummary, readLastRun } from './reconcile-log.ts';
import { nameScope, readScopePage, SKUS_A_PAGE, type SkuScope } from './scope.ts';
import { findRoundBefore, readRound } from './sightings.ts';

export interface ReconcileDeps extends CompareDeps {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly waker: Waker;
}

export interface ReconcileScope extends SkuScope {
  readonly actor?: string;
  /** Why a person asks for it. */
  readonly reason?: string;
  /** The run stops between pages after this long and the next one goes on there. */
  readonly budgetMs?: number;
  /** Compared and logged together; default 4 000. */
  readonly skusAPage?: number;
}

const MAX_PAGES = 10_000;
const BUDGET_MS = 120_000;
/** The gate as a whole is away: nothing is learned from one SKU after the other. */
const AWAY: ReadonlySet<string> = new Set(['GATE_CLOSED', 'NO_ANSWER']);

export async function reconcile(deps: ReconcileDeps, scope: ReconcileScope = {}): Promise<RunSummary> {
  const { pool, metrics, log } = deps;
  const actor = scope.actor ?? 'reconcile';
  const previous = await readLastRun(pool, nameScope(scope));
  const epoch = await readEpoch(pool);
  const start = startSummary(previous, scope, await readRound(pool));
  const summary =
    !epoch.open || epoch.closedReported
      ? { ...start, outcome: 'closed' as const, resumeAfter: null }
      : await runPages(deps, scope, start, actor);
  await inTransaction(pool, async (tx) => {
    await logRun(tx, summary, previous, epoch.epoch, actor);
    if (scope.reason !== undefined) await auditRun(tx, summary, actor, scope.reason);
  });
  // Unknown is never zero: a run that could judge nothing leaves no number behind.
  const nothingJudged = summary.outcome === 'closed' || (summary.skus > 0 && summary.judged === 0);
  if (!summary.scoped) metrics.unexplainedDrift.set(nothingJudged ? Number.NaN : summary.unexplained);
  log.info({ ...summary }, 'reconcile run');
  return summary;
}

async function runPages(
  deps: ReconcileDeps,
  scope: ReconcileScope,
  start: RunSummary,
  actor: string,
): Promise<RunSummary> {
  const deadline = performance.now() + (scope.budgetMs ?? BUDGET_MS);
  const pageSize = scope.skusAPage ?? SKUS_A_PAGE;
  const before = await findRoundBefore(deps.pool, start.runId, start.round);
  let summary = start;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { resumeAfter } = summary;
    const skus = await readScopePage(deps.pool, scope, resumeAfter, pageSize);
    const found = skus.length > 0 ? await compareSkus(deps, skus) : [];
    if (found.length > 0) summary = await judgePage(deps, found, summary, { actor, before });
    if (isAway(found)) return { ...summary, outcome: summary.judged === 0 ? 'closed' : 'cut', resumeAfter };
    const last = skus.length === pageSize ? skus.at(-1) : undefined;
    summary = { ...summary, outcome: last ? 'cut' : 'complete', resumeAfter: last ?? null };
    if (!last || performance.now() > deadline) break;
  }
  return summary;
}

/** A run by a person is an operator's action: it stands in the audit log with its reason (invariant 11). */
function auditRun(tx: Tx, summary: RunSummary, actor: string, reason: string): Promise<void> {
  const { runId, scope, differing, unexplained, reinstalled, effectsIssued } = summary;
  const before = { differing, unexplained };
  const after = { runId, reinstalled, effectsIssued };
  return appendAudit(tx, { actor, action: 'reconcile.run', target: scope, reason, before, after });
}

function isAway(found: readonly Comparison[]): boolean {
  return found.length > 0 && found.every((c) => c.kind === 'unknown' && AWAY.has(c.why));
}

function startSummary(previous: Partial<RunSummary>, scope: ReconcileScope, round: number): RunSummary {
  const name = nameScope(scope);
  return {
    runId: mint(),
    outcome: 'complete',
    scope: name,
    scoped: name !== 'all',
    round,
    ...(scope.reason !== undefined && { reason: scope.reason }),
    skus: 0,
    judged: 0,
    moving: 0,
    unknown: 0,
    unknownBy: {},
    differing: 0,
    explained: 0,
    unexplained: 0,
    reinstalled: 0,
    effectsIssued: 0,
    resumeAfter: previous.resumeAfter ?? null,
  };
}
