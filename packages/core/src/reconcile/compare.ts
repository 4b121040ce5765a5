/**
 * Compares a page of REDIS-mode SKUs (P36): gate, ledger snapshot, gate again. A SKU is judged only when both
 * looks at the gate are of one moment, so what lies between them is exact. Five tries, else it is `moving` and
 * left to the next run. Anything that could not be read is `unknown`, never zero.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Gate, SkuRef } from '../gate/index.ts';
import type { Pool } from '../platform/index.ts';
import { type Explanation, explain } from './explain.ts';
import type { GateFacts, GateHold, LedgerFacts } from './facts.ts';
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
    | { readonly kind: 'unknown'; readonly why: string; readonly ledger: LedgerFacts | undefined }
    /** The row is not in mode REDIS (any more): the gate has no say. */
    | { readonly kind: 'not-at-gate' }
  );

const TRIES = 5;
const WAIT_MS = 10;
const ONCE_MORE: ReadonlySet<string> = new Set(['BUSY', 'NO_ANSWER', 'BROKEN_KEY']);
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
  return comparison.kind === 'unknown' && ONCE_MORE.has(comparison.why);
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
  return skus.map((sku, n) => {
    const { shopId, skuId } = sku;
    const facts = ledger.skus.get(names[n] ?? '');
    if (!facts) return { shopId, skuId, kind: 'not-at-gate' };
    const look = before[n] ?? { unknown: 'NO_ANSWER' };
    const again = after[n];
    const unknown = (why: string) => ({ shopId, skuId, kind: 'unknown' as const, why, ledger: facts });
    if ('unknown' in look) return unknown(look.unknown);
    if (!again) return unknown('NO_ANSWER');
    if (!isRead(again)) return unknown(again.why);
    if ('moving' in look || !sameMoment(look, again)) return { shopId, skuId, kind: 'moving', ledger: facts };
    return judge({ shopId, skuId }, look, facts, ledger, proofAgeMs);
  });
}

function judge(sku: SkuRef, gate: GateFacts, ledger: LedgerFacts, page: LedgerPage, proofAgeMs: number): Comparison {
  if (!page.epoch.open) return { ...sku, kind: 'unknown', why: 'GATE_CLOSED', ledger };
  if (page.epoch.epoch !== gate.epoch) return { ...sku, kind: 'unknown', why: 'STALE_EPOCH', ledger };
  const wrong = [gate.total, gate.deducted, gate.version, ...gate.holds.map((hold) => hold.quantity)].some(
    (n) => !Number.isSafeInteger(n),
  );
  if (wrong) return { ...sku, kind: 'unknown', why: 'BROKEN_KEY', ledger };
  return {
    ...sku,
    kind: 'judged',
    gate,
    ledger,
    explanation: explain({ gate, ledger, holds: page.holds, proofAgeMs }),
  };
}
