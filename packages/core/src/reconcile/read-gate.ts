/** Reads SKUs at the gate with their whole hold sets, page by page. */
import type { Gate, GateCounters, GateReading, HoldPage, SkuRef } from '../gate/index.ts';
import type { GateFacts, GateHold } from './facts.ts';

const HOLDS_A_PAGE = 500;
/** 200 000 holds of one SKU (C48); a larger set is reported, never half read. */
const MAX_PAGES = 400;

export type GateLook = GateFacts | { readonly unknown: string } | { readonly moving: true };

/** One look at a SKU that `read` has just answered: the counters as they were then and every hold, or `moving`. */
export async function readHoldSet(gate: Gate, sku: SkuRef, counters: GateCounters): Promise<GateLook> {
  const holds: GateHold[] = [];
  for (let page = 0; counters.holdCount > 0; page++) {
    if (page === MAX_PAGES) return { unknown: 'HOLD_SET_TOO_LARGE' };
    const read = await gate.readHolds(sku, holds.length, HOLDS_A_PAGE);
    if (read.kind === 'unknown') return { unknown: read.why };
    if (!sameMoment(counters, read)) return { moving: true };
    holds.push(...read.holds);
    if (!read.more) break;
  }
  return { ...counters, holds };
}

/** Both answers are of one moment: nothing was taken, given back, settled or installed between them (P36). */
export function sameMoment(
  a: Pick<GateCounters, 'epoch' | 'generation' | 'version'>,
  b: Pick<GateCounters, 'epoch' | 'generation' | 'version'>,
): boolean {
  return a.version === b.version && a.epoch === b.epoch && a.generation === b.generation;
}

/** Every hold older than `olderThanMs` by the gate's clock, at most `limit` from `from` on. */
export async function readOldHolds(
  gate: Gate,
  sku: SkuRef,
  olderThanMs: number,
  from: number,
  limit: number,
): Promise<{ holds: GateHold[]; more: boolean } | { unknown: string }> {
  const holds: GateHold[] = [];
  for (let page = 0; page < MAX_PAGES && holds.length < limit; page++) {
    const read: HoldPage = await gate.readHolds(
      sku,
      from + holds.length,
      Math.min(HOLDS_A_PAGE, limit - holds.length),
      olderThanMs,
    );
    if (read.kind === 'unknown') return { unknown: read.why };
    holds.push(...read.holds);
    if (!read.more) return { holds, more: false };
  }
  return { holds, more: true };
}

export function isRead(reading: GateReading): reading is Extract<GateReading, { kind: 'read' }> {
  return reading.kind === 'read';
}
