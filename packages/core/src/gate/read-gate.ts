/** Reading the gate: counters and holds with what they were read under, or the reason why they are not known. */
import type { GateCaller, GateDeps } from './gate-call.ts';
import { judgeNotLoaded, type NotLoadedDeps } from './judge-not-loaded.ts';
import { type SkuRef, skuKeys } from './keys.ts';
import { decodeRead, type GateCounters, type GateHold } from './replies.ts';

export interface GateUnknown {
  readonly kind: 'unknown';
  readonly why: 'GATE_CLOSED' | 'NOT_LOADED' | 'BUSY' | 'STALE_EPOCH' | 'BROKEN_KEY' | 'NO_ANSWER';
  /** With BROKEN_KEY: which one. */
  readonly key?: string;
}
/** Counters with the first holds by age, of one moment. */
export interface HeldCounters extends GateCounters {
  readonly holds: readonly GateHold[];
}
export type GateReading = SkuRef & (HeldCounters | GateUnknown);
export type HoldPage = (HeldCounters & { readonly more: boolean }) | GateUnknown;

export interface HoldRange {
  readonly from: number;
  readonly limit: number;
  /** 0: holds of any age. */
  readonly olderThanMs: number;
}

/** SKUs in one call, all of one shop: less than a millisecond of script time (C48). */
const SKUS_A_CALL = 64;

/** One SKU's counters and a page of its holds, oldest first. */
export async function readHoldPage(
  caller: GateCaller,
  deps: GateDeps,
  sku: SkuRef,
  range: HoldRange,
): Promise<HoldPage> {
  const [found] = await readCall(caller, deps, [sku], range);
  if (found?.kind !== 'read') return found ?? { kind: 'unknown', why: 'NO_ANSWER' };
  return { ...found, more: range.limit > 0 && found.holds.length === range.limit };
}

/**
 * Counters of many SKUs, all asked at once, each with at most `holdsEach` of its holds. A key that is missing, of
 * another epoch, or under a load that nobody is making, is judged like one that a take met (P9), so that a gate without
 * buyers is rebuilt too; one look a call is enough, for the rebuild loads every SKU.
 */
export async function readCounters(
  caller: GateCaller,
  deps: GateDeps,
  skus: readonly SkuRef[],
  holdsEach: number,
): Promise<GateReading[]> {
  const range = { from: 0, limit: holdsEach, olderThanMs: 0 };
  const readings = new Array<GateReading>(skus.length);
  await Promise.all(
    inCalls(skus).map(async (places) => {
      const some = places.flatMap((place) => skus[place] ?? []);
      const found = await readCall(caller, deps, some, range);
      for (const [n, place] of places.entries()) {
        const sku = some[n];
        if (sku) readings[place] = { shopId: sku.shopId, skuId: sku.skuId, ...(found[n] ?? NO_ANSWER) };
      }
    }),
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
      const [found] = await readCall(caller, deps, [sku], { from: 0, limit: 0, olderThanMs: 0 });
      return found !== undefined && isMissing(found);
    },
    reportClosed: async (reason) => {
      const epoch = caller.life()?.epoch;
      if (epoch !== undefined) await caller.reportClosed(epoch, reason);
    },
  };
}

const NO_ANSWER = { kind: 'unknown', why: 'NO_ANSWER' } as const;

/** Places in the list, a call each: keys of one shop share a slot (C46). */
function inCalls(skus: readonly SkuRef[]): number[][] {
  const calls: number[][] = [];
  const open = new Map<string, number[]>();
  for (const [place, { shopId }] of skus.entries()) {
    let call = open.get(shopId);
    if (!call || call.length === SKUS_A_CALL) {
      call = [];
      open.set(shopId, call);
      calls.push(call);
    }
    call.push(place);
  }
  return calls;
}

/** One answer a SKU, in their order. All of one shop. */
async function readCall(
  caller: GateCaller,
  { log }: GateDeps,
  skus: readonly SkuRef[],
  range: HoldRange,
): Promise<(HeldCounters | GateUnknown)[]> {
  const reply = await caller.call('read', skus.flatMap(skuKeys), (life) =>
    [life.clockOffsetMs, range.olderThanMs, range.from, range.limit].map(String),
  );
  if (reply.kind !== 'reply') return skus.map(() => ({ kind: 'unknown', why: WHY[reply.kind] }));
  return decodeRead(reply.parts).map((answer) => {
    if (answer.word === 'BROKEN_KEY') {
      log.error({ key: answer.key }, 'the gate cannot count with this key');
      return { kind: 'unknown', why: answer.word, key: answer.key };
    }
    if (answer.word !== 'READ') return { kind: 'unknown', why: answer.word };
    return { kind: 'read', epoch: reply.epoch, ...answer.counters, holds: answer.holds };
  });
}

/** A call that failed as a whole, as while a foreign script occupies the server, tells nothing of a single SKU. */
const WHY = { closed: 'GATE_CLOSED', unknown: 'NO_ANSWER', failed: 'NO_ANSWER' } as const;
