/**
 * The ghost sweep (P17): ends holds that a crash or a lost reply left at the gate. First the look, page by page;
 * then, once a run, the abandonment rows under the exclusive lock; then the give-backs. A hold that an order
 * names is never freed, one that is sold is only settled. A lost give-back is repeated by the next run, because
 * the proof is stored.
 */
import type { Gate, GateCounters, SkuRef } from '../gate/index.ts';
import type { Log, Pool, Waker } from '../platform/index.ts';
import { abandonHolds } from './abandon-holds.ts';
import { isWholeHold } from './facts.ts';
import { logSweep } from './log-sweep.ts';
import { isRead, readOldHolds } from './read-gate.ts';
import { nameOf } from './read-ledger.ts';
import { judgeOldHolds, type OldHold, type SweepAges } from './read-old-holds.ts';
import { tendGhostIncidents } from './tend-ghost-incidents.ts';
import { writeTombstones } from './write-tombstones.ts';

export interface SweepDeps extends SweepAges {
  readonly pool: Pool;
  readonly gate: Gate;
  readonly log: Log;
  readonly waker: Waker;
}

export interface SweepSummary {
  readonly looked: number;
  readonly abandoned: number;
  readonly givenBack: number;
  readonly settled: number;
  readonly tombstones: number;
  readonly unproven: number;
  /** The budget ended here; the next run goes on after this SKU. */
  readonly resumeAfter: SkuRef | null;
}

const PAGE = 200;
const MAX_PAGES = 10_000;
const BUDGET_MS = 20_000;
const CHUNK = 2000;
/** Keeps the exclusive lock to a few milliseconds. */
const MAX_ABANDONED_A_RUN = 1000;
const MAX_TOMBSTONES_A_RUN = 500;

export async function sweepGhostHolds(deps: SweepDeps, from: SkuRef | null = null): Promise<SweepSummary> {
  const { holds, readings, looked, blind, resumeAfter } = await lookForOldHolds(deps, from);
  const of = (verdict: OldHold['verdict']) => holds.filter((hold) => hold.verdict === verdict);
  const candidates = of('abandon').slice(0, MAX_ABANDONED_A_RUN);
  const proven = candidates.length > 0 ? await abandonHolds(deps.pool, candidates) : new Set<string>();
  if (proven === 'busy')
    deps.log.warn({ candidates: candidates.length }, 'ghost sweep: the gate lock was busy, left to the next run');
  const abandoned = proven === 'busy' ? [] : candidates.filter((hold) => proven.has(hold.reservationId));
  const ended = [...of('give-back'), ...abandoned];
  const givenBack = await inChunks(ended, (chunk) => deps.gate.giveBack(chunk));
  const settled = await inChunks(of('settle'), (chunk) => deps.gate.settle(chunk));
  await logSweep(deps.pool, [...ended.slice(0, givenBack), ...of('settle').slice(0, settled)], readings);
  const tombstones = await writeTombstones(deps, of('tombstone').slice(0, MAX_TOMBSTONES_A_RUN));
  const unproven = of('unproven');
  await tendGhostIncidents(deps.pool, unproven, !blind && from === null && resumeAfter === null);
  const summary = {
    looked,
    abandoned: abandoned.length,
    givenBack,
    settled,
    tombstones,
    unproven: unproven.length,
    resumeAfter,
  };
  if (abandoned.length + givenBack + settled + tombstones + unproven.length > 0) deps.log.info(summary, 'ghost sweep');
  return summary;
}

interface Collected {
  readonly holds: OldHold[];
  /** How the gate stood, for each SKU of these holds. */
  readonly readings: ReadonlyMap<string, GateCounters>;
  readonly looked: number;
  /** Some SKU could not be read: what was not seen is not known to be gone. */
  readonly blind: boolean;
  readonly resumeAfter: SkuRef | null;
}

/** All old holds that something must be done about, of as many SKUs as the budget allows. */
export async function lookForOldHolds(deps: SweepDeps, from: SkuRef | null): Promise<Collected> {
  const deadline = performance.now() + BUDGET_MS;
  const holds: OldHold[] = [];
  const readings = new Map<string, GateCounters>();
  let looked = 0;
  let blind = false;
  let after = from;
  for (let page = 0; page < MAX_PAGES; page++) {
    const skus = await readSkus(deps.pool, after);
    for (const reading of await deps.gate.read(skus)) {
      const found =
        isRead(reading) && reading.holdCount > 0
          ? await lookAtSku(deps, reading, reading.holdCount)
          : nothingDue(!isRead(reading));
      looked += found.looked;
      blind ||= found.blind;
      holds.push(...found.due);
      if (isRead(reading) && found.due.length > 0) readings.set(nameOf(reading), reading);
      after = { shopId: reading.shopId, skuId: reading.skuId };
      if (performance.now() > deadline || holds.length >= CHUNK)
        return { holds, readings, looked, blind, resumeAfter: after };
    }
    if (skus.length < PAGE) return { holds, readings, looked, blind, resumeAfter: null };
  }
  return { holds, readings, looked, blind, resumeAfter: after };
}

const nothingDue = (blind: boolean) => ({ due: [], looked: 0, blind });

async function lookAtSku(
  deps: SweepDeps,
  sku: SkuRef,
  holdCount: number,
): Promise<{ due: OldHold[]; looked: number; blind: boolean }> {
  const due: OldHold[] = [];
  let looked = 0;
  while (looked < holdCount) {
    const page = await readOldHolds(deps.gate, sku, deps.proofAgeMs, looked, CHUNK);
    if ('unknown' in page) return { due, looked, blind: true };
    if (page.holds.length === 0) break;
    looked += page.holds.length;
    const judged = await judgeOldHolds(
      deps.pool,
      // Foreign text in the set is nobody's hold; reconcile loads the SKU anew (P37).
      page.holds.filter(isWholeHold).map((hold) => ({ ...hold, shopId: sku.shopId, skuId: sku.skuId })),
      deps,
    );
    due.push(...judged.filter((hold) => hold.verdict !== 'keep'));
    if (!page.more) break;
  }
  return { due, looked, blind: false };
}

/** How many holds are known to be done; what got no answer is met again by the next run. */
async function inChunks(
  holds: readonly OldHold[],
  move: (chunk: readonly OldHold[]) => Promise<'done' | 'closed' | 'unknown'>,
): Promise<number> {
  let done = 0;
  for (let i = 0; i < holds.length; i += PAGE) {
    const chunk = holds.slice(i, i + PAGE);
    if ((await move(chunk)) !== 'done') break;
    done += chunk.length;
  }
  return done;
}

async function readSkus(pool: Pool, after: SkuRef | null): Promise<SkuRef[]> {
  const { rows } = await pool.query<SkuRef>(
    `SELECT shop_id AS "shopId", sku_id AS "skuId" FROM tinystore_inventory.inventory_stock
     WHERE gate_mode = 'REDIS' AND ($1::text IS NULL OR (shop_id, sku_id) > ($1, $2))
     ORDER BY shop_id, sku_id LIMIT $3`,
    [after?.shopId ?? null, after?.skuId ?? null, PAGE],
  );
  return rows;
}
