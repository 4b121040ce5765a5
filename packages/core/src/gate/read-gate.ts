/** Reading the gate: counters and holds with what they were read under, or the reason why they are not known. */
import type { GateCaller, GateDeps, GateReply } from './gate-call.ts';
import { judgeNotLoaded, type NotLoadedDeps } from './judge-not-loaded.ts';
import { type SkuRef, skuKeys } from './keys.ts';
import { decodeRead, type GateCounters, type GateHold } from './replies.ts';

export interface GateUnknown {
  readonly kind: 'unknown';
  readonly why: 'GATE_CLOSED' | 'NOT_LOADED' | 'BUSY' | 'STALE_EPOCH' | 'BROKEN_KEY' | 'NO_ANSWER';
}
export type GateReading = SkuRef & (GateCounters | GateUnknown);
export type HoldPage = (GateCounters & { readonly holds: readonly GateHold[]; readonly more: boolean }) | GateUnknown;

export interface HoldRange {
  readonly from: number;
  readonly limit: number;
  /** 0: holds of any age. */
  readonly olderThanMs: number;
}

const NO_HOLDS: HoldRange = { from: 0, limit: 0, olderThanMs: 0 };

/** One SKU's counters and a page of its holds, oldest first. */
export async function readHoldPage(caller: GateCaller, sku: SkuRef, range: HoldRange): Promise<HoldPage> {
  const reply = await caller.call('read', skuKeys(sku), (life) =>
    [life.clockOffsetMs, range.olderThanMs, range.from, range.limit].map(String),
  );
  return pageOf(reply, range.limit);
}

/**
 * Counters of many SKUs, all asked at once. A key that is missing, of another epoch, or under a load that nobody is
 * making, is judged like one that a take met (P9), so that a gate without buyers is rebuilt too; one look a call is
 * enough, for the rebuild loads every SKU.
 */
export async function readCounters(
  caller: GateCaller,
  deps: GateDeps,
  skus: readonly SkuRef[],
): Promise<GateReading[]> {
  const readings = await Promise.all(
    skus.map(
      async (sku): Promise<GateReading> => ({ ...sku, ...withoutHolds(await readHoldPage(caller, sku, NO_HOLDS)) }),
    ),
  );
  const missing = readings.find((reading) => isNotOfThisLife(reading) || isLoading(reading));
  if (missing)
    await judgeNotLoaded(notLoadedDeps(deps, caller, isLoading(missing) ? isLoading : isNotOfThisLife), missing).catch(
      (error: unknown) => deps.log.debug({ error: String(error) }, 'a missing key could not be judged'),
    );
  return readings;
}

/** Not loaded, or under another epoch than the scripts that read it. */
function isNotOfThisLife(reading: GateCounters | GateUnknown): boolean {
  return reading.kind === 'unknown' && (reading.why === 'NOT_LOADED' || reading.why === 'STALE_EPOCH');
}

function isLoading(reading: GateCounters | GateUnknown): boolean {
  return reading.kind === 'unknown' && reading.why === 'BUSY';
}

export function notLoadedDeps(deps: GateDeps, caller: GateCaller, isMissing = isNotOfThisLife): NotLoadedDeps {
  return {
    pool: deps.pool,
    // Under the epoch as it is now: the one that was read under may have ended meanwhile.
    isStillMissing: async (sku) => {
      await caller.refresh();
      return isMissing(withoutHolds(await readHoldPage(caller, sku, NO_HOLDS)));
    },
    reportClosed: async (reason) => {
      const epoch = caller.life()?.epoch;
      if (epoch !== undefined) await caller.reportClosed(epoch, reason);
    },
  };
}

function pageOf(reply: GateReply, limit: number): HoldPage {
  if (reply.kind === 'closed') return { kind: 'unknown', why: 'GATE_CLOSED' };
  if (reply.kind === 'unknown') return { kind: 'unknown', why: 'NO_ANSWER' };
  if (reply.kind === 'failed') return { kind: 'unknown', why: 'BROKEN_KEY' };
  const answer = decodeRead(reply.parts);
  if (answer.word !== 'READ') return { kind: 'unknown', why: answer.word };
  const { counters, holds } = answer;
  return { kind: 'read', epoch: reply.epoch, ...counters, holds, more: limit > 0 && holds.length === limit };
}

function withoutHolds(page: HoldPage): GateCounters | GateUnknown {
  if (page.kind === 'unknown') return page;
  const { holds: _holds, more: _more, ...counters } = page;
  return counters;
}
