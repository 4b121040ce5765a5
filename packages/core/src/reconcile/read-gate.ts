/** Reads SKUs at the gate with their whole hold sets, page by page. */
import type { Gate, GateCounters, GateReading, HoldPage, SkuRef } from '../gate/index.ts';
import type { GateFacts, GateHold } from './facts.ts';

const HOLDS_A_PAGE = 500;
/** 200 000 holds of one SKU (C48); a larger set is reported, never half read. */
const MAX_PAGES = 400;

/** Sets up to this size come with the counters themselves. */
const HOLDS_EACH = 8;
/** Larger sets read at once; the gate pipelines them. */
const SETS_AT_ONCE = 16;

export type GateLook = GateFacts | { readonly unknown: string } | { readonly moving: true };

/** The first look (P36): counters as of one moment with every hold of that moment, in the order of `skus`. */
export async function lookAtGate(gate: Gate, skus: readonly SkuRef[]): Promise<GateLook[]> {
  const readings = await gate.read(skus, HOLDS_EACH);
  const looks = readings.map((reading): GateLook => (isRead(reading) ? reading : { unknown: reading.why }));
  const large = readings.flatMap((reading, n) =>
    isRead(reading) && reading.holds.length < reading.holdCount ? [{ n, reading }] : [],
  );
  for (let i = 0; i < large.length; i += SETS_AT_ONCE)
    await Promise.all(
      large.slice(i, i + SETS_AT_ONCE).map(async ({ n, reading }) => {
        looks[n] = await readHoldSet(gate, reading);
      }),
    );
  return looks;
}

/** The whole hold set of a SKU that `read` has just answered, or `moving`. */
async function readHoldSet(gate: Gate, first: Read): Promise<GateLook> {
  const holds: GateHold[] = [...first.holds];
  for (let page = 0; holds.length < first.holdCount; page++) {
    if (page === MAX_PAGES) return { unknown: 'HOLD_SET_TOO_LARGE' };
    const read = await gate.readHolds(first, holds.length, HOLDS_A_PAGE);
    if (read.kind === 'unknown') return { unknown: read.why };
    if (!sameMoment(first, read)) return { moving: true };
    holds.push(...read.holds);
    if (!read.more) break;
  }
  return { ...first, holds };
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

type Read = Extract<GateReading, { kind: 'read' }>;

export function isRead(reading: GateReading): reading is Read {
  return reading.kind === 'read';
}
