/** What reconcile and the ghost sweep would do now: the same looks, nothing written to either book (P36, P17). */
import type { SkuRef } from '../gate/index.ts';
import { DRIFT_CAUSES } from './causes.ts';
import { type CompareDeps, type Comparison, compareSkus } from './compare.ts';
import type { DriftRow } from './explain.ts';
import { type Remedy, remedyOf } from './plan-repair.ts';
import { readScopePage, SKUS_A_PAGE, type SkuScope } from './scope.ts';
import { findRoundBefore, type RoundBefore, readRound, readSightings } from './sightings.ts';
import { lookForOldHolds, type SweepDeps } from './sweep-ghost-holds.ts';

export interface Preview {
  readonly scanned: number;
  readonly changed: number;
}

export interface PreviewedSku extends SkuRef {
  readonly remedy: Remedy;
  /** Why the gate could not be read, when it could not. */
  readonly unknown: string | null;
  readonly unexplained: number;
  readonly rows: readonly DriftRow[];
}

export interface ReconcilePreview extends Preview {
  readonly judged: number;
  readonly moving: number;
  readonly unknown: number;
  /** The first SKUs that differ or cannot be read. */
  readonly found: readonly PreviewedSku[];
  /** The time ended here. */
  readonly resumeAfter: SkuRef | null;
}

const MAX_PAGES = 10_000;
const MAX_FOUND = 200;
/** A preview logs nothing, so no run is its own. */
const NO_RUN = '00000000-0000-0000-0000-000000000000';

export async function previewReconcile(
  deps: CompareDeps,
  scope: SkuScope = {},
  budgetMs = Number.POSITIVE_INFINITY,
): Promise<ReconcilePreview> {
  const deadline = performance.now() + budgetMs;
  const before = await findRoundBefore(deps.pool, NO_RUN, await readRound(deps.pool));
  let sofar: ReconcilePreview = {
    scanned: 0,
    changed: 0,
    judged: 0,
    moving: 0,
    unknown: 0,
    found: [],
    resumeAfter: null,
  };
  for (let page = 0; page < MAX_PAGES; page++) {
    const skus = await readScopePage(deps.pool, scope, sofar.resumeAfter);
    const compared = skus.length > 0 ? await compareSkus(deps, skus) : [];
    sofar = await addPage(deps, before, sofar, compared);
    const last = skus.length === SKUS_A_PAGE ? skus.at(-1) : undefined;
    sofar = { ...sofar, resumeAfter: last ?? null };
    if (!last || performance.now() > deadline) break;
  }
  return sofar;
}

async function addPage(
  deps: CompareDeps,
  before: RoundBefore,
  sofar: ReconcilePreview,
  compared: readonly Comparison[],
): Promise<ReconcilePreview> {
  const named = compared.filter((c) => c.kind === 'unknown' || (c.kind === 'judged' && !c.explanation.agrees));
  const sightings = await readSightings(deps.pool, before, named);
  const views = named.map((comparison) => viewOf(comparison, remedyOf(comparison, sightings(comparison))));
  const countOf = (kind: Comparison['kind']) => compared.filter((c) => c.kind === kind).length;
  return {
    ...sofar,
    scanned: sofar.scanned + compared.length,
    changed: sofar.changed + views.filter(({ remedy }) => remedy !== 'none' && remedy !== 'wait').length,
    judged: sofar.judged + countOf('judged'),
    moving: sofar.moving + countOf('moving'),
    unknown: sofar.unknown + countOf('unknown'),
    found: [...sofar.found, ...views].slice(0, MAX_FOUND),
  };
}

function viewOf(found: Comparison, remedy: Remedy): PreviewedSku {
  const { shopId, skuId } = found;
  if (found.kind !== 'judged')
    return {
      shopId,
      skuId,
      remedy,
      unknown: found.kind === 'unknown' ? found.why : found.kind,
      unexplained: 0,
      rows: [],
    };
  const { deducted, capacity, rows } = found.explanation;
  return {
    shopId,
    skuId,
    remedy,
    unknown: null,
    unexplained: deducted.unexplained + capacity.unexplained,
    rows: rows.filter((row) => !DRIFT_CAUSES[row.cause].explained),
  };
}

export async function previewSweep(deps: SweepDeps): Promise<Preview> {
  const { looked, holds } = await lookForOldHolds(deps, null);
  return { scanned: looked, changed: holds.filter((hold) => hold.verdict !== 'unproven').length };
}
