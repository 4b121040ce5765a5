/**
 * Compares a page of REDIS-mode SKUs (P36): gate, ledger snapshot, gate again. A SKU is judged only when both
 * looks at the gate are of one moment, so what lies between them is exact. Five tries, else it is `moving` and
 * left to the next run. Anything that could not be read is `unknown`, never zero.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Gate, SkuRef } from '../gate/index.ts';
import type { Pool } from '../platform/index.ts';
import { type Explanation, explain } from './explain.ts';
import { type GateFacts, isWholeHold, type LedgerFacts } from './facts.ts';
import { isRead, readHoldSet, sameMoment } from './read-gate.ts';
import { type LedgerPage, nameOf, readLedger } from './read-ledger.ts';

export interface CompareDeps {
  readonly pool: Pool;
  readonly gate: Gate;
  /** A hold younger than this is in flight although no order names it yet (P38). */
  readonly proofAgeMs: number;
}

export type Comparison = SkuRef &
  (
    | {
        readonly kind: 'judged';
        readonly gate: GateFacts;
        readonly ledger: LedgerFacts;
        readonly explanation: Explanation;
      }
    | { readonly kind: 'moving'; readonly ledger: LedgerFacts | undefined }
    | {
        readonly kind: 'unknown';
        readonly why: string;
        readonly ledger: LedgerFacts | undefined;
        /** The gate is open and its other SKUs can be read: this one cannot be sold until it is loaded anew. */
        readonly stuck: boolean;
      }
    /** The row is not in mode REDIS (any more): the gate has no say. */
    | { readonly kind: 'not-at-gate' }
  );

const TRIES = 5;
const WAIT_MS = 10;
const ONCE_MORE: ReadonlySet<string> = new Set(['BUSY', 'STALE_EPOCH', 'NO_ANSWER', 'BROKEN_KEY']);
/** Answers of one SKU's keys that nothing but a load changes. */
const STUCK: ReadonlySet<string> = new Set(['BUSY', 'STALE_EPOCH', 'BROKEN_KEY']);
/** Hold sets read at once; the gate pipelines them. */
const READS_AT_ONCE = 16;

export async function compareSkus(deps: CompareDeps, skus: readonly SkuRef[]): Promise<Comparison[]> {
  const found = new Map<string, Comparison>();
  let open = skus;
  for (let attempt = 1; attempt <= TRIES && open.length > 0; attempt++) {
    for (const comparison of await lookOnce(deps, open)) found.set(nameOf(comparison), comparison);
    open = open.filter((sku) => mayPass(found.get(nameOf(sku))));
    if (open.length > 0 && attempt < TRIES) await sleep(WAIT_MS * attempt * (0.5 + Math.random()));
  }
  return skus.flatMap((sku) => found.get(nameOf(sku)) ?? []);
}

/** What another look may find settled: a counter that moved, a load under way, one lost answer, a server that refused. */
function mayPass(comparison: Comparison | undefined): boolean {
  if (comparison?.kind === 'moving') return true;
  return comparison?.kind === 'unknown' && ONCE_MORE.has(comparison.why);
}

async function lookOnce({ pool, gate, proofAgeMs }: CompareDeps, skus: readonly SkuRef[]): Promise<Comparison[]> {
  const before = await readGate(gate, skus);
  const ids = [...before.values()].flatMap((look) =>
    'holds' in look ? look.holds.filter(isWholeHold).map((hold) => hold.reservationId) : [],
  );
  const ledger = await readLedger(pool, skus, ids);
  const after = new Map((await gate.read(skus)).map((reading) => [nameOf(reading), reading]));
  return skus.map((sku) => {
    const name = nameOf(sku);
    const facts = ledger.skus.get(name);
    if (!facts) return { ...sku, kind: 'not-at-gate' };
    const look = before.get(name) ?? { unknown: 'NO_ANSWER' };
    const again = after.get(name);
    const isPresent = ledger.epoch.open && gate.state()?.epoch === ledger.epoch.epoch;
    const unknown = (why: string) => unknownOf(sku, why, facts, isPresent);
    if ('unknown' in look) return unknown(look.unknown);
    if (!again) return unknown('NO_ANSWER');
    if (!isRead(again)) return unknown(again.why);
    if ('moving' in look || !sameMoment(look, again)) return { ...sku, kind: 'moving', ledger: facts };
    return judge(sku, look, facts, ledger, proofAgeMs);
  });
}

/** @param isPresent the gate is open under the very epoch that this process calls it by */
function unknownOf(sku: SkuRef, why: string, ledger: LedgerFacts, isPresent: boolean): Comparison {
  return { ...sku, kind: 'unknown', why, ledger, stuck: isPresent && STUCK.has(why) };
}

function judge(sku: SkuRef, gate: GateFacts, ledger: LedgerFacts, page: LedgerPage, proofAgeMs: number): Comparison {
  if (!page.epoch.open) return unknownOf(sku, 'GATE_CLOSED', ledger, false);
  if (page.epoch.epoch !== gate.epoch) return unknownOf(sku, 'STALE_EPOCH', ledger, false);
  const { total, deducted, version, generation } = gate;
  const isWhole =
    [total, deducted, version, generation].every((n) => Number.isSafeInteger(n)) && gate.holds.every(isWholeHold);
  if (!isWhole) return unknownOf(sku, 'BROKEN_KEY', ledger, true);
  return {
    ...sku,
    kind: 'judged',
    gate,
    ledger,
    explanation: explain({ gate, ledger, holds: page.holds, proofAgeMs }),
  };
}

async function readGate(gate: Gate, skus: readonly SkuRef[]) {
  const found = new Map<string, Awaited<ReturnType<typeof readHoldSet>>>();
  const readings = await gate.read(skus);
  for (let i = 0; i < readings.length; i += READS_AT_ONCE)
    await Promise.all(
      readings.slice(i, i + READS_AT_ONCE).map(async (reading) => {
        found.set(
          nameOf(reading),
          isRead(reading) ? await readHoldSet(gate, reading, reading) : { unknown: reading.why },
        );
      }),
    );
  return found;
}
