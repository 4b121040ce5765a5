/**
 * Compares a page of REDIS-mode SKUs (P36): gate, ledger snapshot, gate again. A SKU is judged only when both
 * looks at the gate are of one moment, so what lies between them is exact. Five tries, else it is `moving` and
 * left to the next run. Anything that could not be read is `unknown`, never zero.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Gate, type SkuRef, skuKeys } from '../gate/index.ts';
import type { Pool } from '../platform/index.ts';
import { type Explanation, explain } from './explain.ts';
import { type GateFacts, type GateHold, isWholeHold, type LedgerFacts } from './facts.ts';
import { isRead, lookAtGate, sameMoment } from './read-gate.ts';
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
        /** With BROKEN_KEY: which one (C26). */
        readonly key?: string;
      }
    /** The row is not in mode REDIS (any more): the gate has no say. */
    | { readonly kind: 'not-at-gate' }
  );

type Unknown = Extract<Comparison, { kind: 'unknown' }>;

const TRIES = 5;
const WAIT_MS = 10;
/** Answers of one SKU's keys that nothing but a load changes. */
const STUCK: ReadonlySet<string> = new Set(['BUSY', 'STALE_EPOCH', 'BROKEN_KEY']);
/** SKUs between one first look and its second: fewer cost more questions, more have moved in between. */
const SKUS_A_LOOK = 2000;
/** While one look waits for the ledger, the next reads the gate. */
const LOOKS_AT_ONCE = 2;

/** In the order of `skus`. */
export async function compareSkus(deps: CompareDeps, skus: readonly SkuRef[]): Promise<Comparison[]> {
  const parts: Comparison[][] = [];
  let from = 0;
  const lane = async () => {
    for (let at = from; at < skus.length; at = from) {
      from = at + SKUS_A_LOOK;
      parts[at / SKUS_A_LOOK] = await comparePart(deps, skus.slice(at, from));
    }
  };
  await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, lane));
  return parts.flat();
}

async function comparePart(deps: CompareDeps, skus: readonly SkuRef[]): Promise<Comparison[]> {
  const found = new Map<string, Comparison>();
  let open = skus;
  for (let attempt = 1; attempt <= TRIES && open.length > 0; attempt++) {
    const again: SkuRef[] = [];
    for (const comparison of await lookOnce(deps, open)) {
      found.set(nameOf(comparison), comparison);
      if (mayPass(comparison)) again.push(comparison);
    }
    open = again;
    if (open.length > 0 && attempt < TRIES) await sleep(WAIT_MS * attempt * (0.5 + Math.random()));
  }
  return skus.flatMap((sku) => found.get(nameOf(sku)) ?? []);
}

/** What another look may find settled: a counter that moved, a load under way, one lost answer, a server that refused. */
function mayPass(comparison: Comparison): boolean {
  if (comparison.kind === 'moving') return true;
  return comparison.kind === 'unknown' && (comparison.stuck || comparison.why === 'NO_ANSWER');
}

async function lookOnce({ pool, gate, proofAgeMs }: CompareDeps, skus: readonly SkuRef[]): Promise<Comparison[]> {
  const names = skus.map(nameOf);
  const before = await lookAtGate(gate, skus);
  const held = new Map<string, readonly GateHold[]>();
  for (const [n, name] of names.entries()) {
    const look = before[n];
    if (look && 'holds' in look && look.holds.length > 0) held.set(name, look.holds);
  }
  const ledger = await readLedger(pool, skus, held);
  const after = await gate.read(skus);
  const isPresent = ledger.epoch.open && gate.state()?.epoch === ledger.epoch.epoch;
  return skus.map((sku, n) => {
    const { shopId, skuId } = sku;
    const facts = ledger.skus.get(names[n] ?? '');
    if (!facts) return { shopId, skuId, kind: 'not-at-gate' };
    const look = before[n] ?? { unknown: 'NO_ANSWER' };
    const again = after[n];
    const key = again && !isRead(again) && again.key ? { key: again.key } : {};
    const unknown = (why: string) => ({ ...unknownOf({ shopId, skuId }, why, facts, isPresent), ...key });
    if ('unknown' in look) return unknown(look.unknown);
    if (!again) return unknown('NO_ANSWER');
    if (!isRead(again)) return unknown(again.why);
    if ('moving' in look || !sameMoment(look, again)) return { shopId, skuId, kind: 'moving', ledger: facts };
    return judge({ shopId, skuId }, look, facts, ledger, proofAgeMs);
  });
}

/** @param isPresent the gate is open under the very epoch that this process calls it by */
function unknownOf(sku: SkuRef, why: string, ledger: LedgerFacts, isPresent: boolean): Unknown {
  return { ...sku, kind: 'unknown', why, ledger, stuck: isPresent && STUCK.has(why) };
}

function judge(sku: SkuRef, gate: GateFacts, ledger: LedgerFacts, page: LedgerPage, proofAgeMs: number): Comparison {
  if (!page.epoch.open) return unknownOf(sku, 'GATE_CLOSED', ledger, false);
  if (page.epoch.epoch !== gate.epoch) return unknownOf(sku, 'STALE_EPOCH', ledger, false);
  const { total, deducted, version, generation } = gate;
  const isWhole =
    [total, deducted, version, generation].every((n) => Number.isSafeInteger(n)) && gate.holds.every(isWholeHold);
  if (!isWhole) return { ...unknownOf(sku, 'BROKEN_KEY', ledger, true), key: skuKeys(sku)[2] };
  return {
    ...sku,
    kind: 'judged',
    gate,
    ledger,
    explanation: explain({ gate, ledger, holds: page.holds, proofAgeMs }),
  };
}
