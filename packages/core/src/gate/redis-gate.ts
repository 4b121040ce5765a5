/**
 * The gate as the rest of the product sees it: take, giveBack, settle, read. Each answer says what is known.
 * Anything missing is neither zero nor unlimited (P8).
 */
import { createGateCaller, type GateCaller, type GateDeps, type GateReply } from './gate-call.ts';
import { judgeNotLoaded } from './judge-not-loaded.ts';
import { KEYS_PER_SKU, type SkuRef, skuKeys } from './keys.ts';

/** Units of one order line at the gate. */
export interface Hold extends SkuRef {
  readonly reservationId: string;
  /** Units. */
  readonly quantity: number;
}

export type TakeOutcome =
  | { readonly kind: 'taken'; readonly epoch: number; readonly generations: readonly number[] }
  | { readonly kind: 'sold-out'; readonly left: readonly number[] }
  | { readonly kind: 'retry'; readonly reason: 'GATE_CLOSED' | 'STALE_EPOCH' | 'BUSY' }
  | { readonly kind: 'unknown-sku'; readonly index: number }
  | { readonly kind: 'unknown' };

/** `closed`: known not to have happened. `unknown`: it may still happen. */
export type MoveOutcome = 'done' | 'closed' | 'unknown';

export interface GateCounters {
  readonly kind: 'read';
  readonly epoch: number;
  readonly generation: number;
  readonly total: number;
  readonly deducted: number;
  readonly version: number;
  readonly holdCount: number;
}
export interface GateUnknown {
  readonly kind: 'unknown';
  readonly why: 'GATE_CLOSED' | 'NOT_LOADED' | 'BUSY' | 'STALE_EPOCH' | 'BROKEN_KEY' | 'NO_ANSWER';
}
export type GateReading = SkuRef & (GateCounters | GateUnknown);
export type HoldPage = (GateCounters & { readonly holds: readonly GateHold[]; readonly more: boolean }) | GateUnknown;
export interface GateHold {
  readonly reservationId: string;
  readonly quantity: number;
  readonly takenAtMs: number;
}

export interface Gate {
  /** All lines of one shop or none; every line another SKU. P13: the ids must be new. */
  take(holds: readonly Hold[]): Promise<TakeOutcome>;
  giveBack(holds: readonly Hold[]): Promise<MoveOutcome>;
  settle(holds: readonly Hold[]): Promise<MoveOutcome>;
  read(skus: readonly SkuRef[]): Promise<GateReading[]>;
  readHolds(sku: SkuRef, from: number, limit: number, olderThanMs?: number): Promise<HoldPage>;
  state(): { readonly epoch: number; readonly open: boolean } | undefined;
  refresh: GateCaller['refresh'];
}

export function createGate(deps: GateDeps): Gate {
  const caller = createGateCaller(deps);
  const readPage = async (sku: SkuRef, olderThanMs: number, from: number, limit: number): Promise<HoldPage> => {
    const reply = await caller.call('read', skuKeys(sku), (life) => [
      String(life.clockOffsetMs),
      String(olderThanMs),
      String(from),
      String(limit),
    ]);
    return decodeRead(reply, limit);
  };
  return {
    state: () => caller.life(),
    refresh: caller.refresh,
    take: (holds) => take(caller, deps, holds),
    giveBack: (holds) => move(caller, 'giveBack', holds),
    settle: (holds) => move(caller, 'settle', holds),
    read: (skus) => Promise.all(skus.map(async (sku) => ({ ...sku, ...withoutHolds(await readPage(sku, 0, 0, 0)) }))),
    readHolds: (sku, from, limit, olderThanMs = 0) => readPage(sku, olderThanMs, from, limit),
  };
}

async function take(caller: GateCaller, deps: GateDeps, holds: readonly Hold[]): Promise<TakeOutcome> {
  const reply = await caller.call(
    'take',
    holds.flatMap((hold) => skuKeys(hold)),
    (life) => [String(life.clockOffsetMs), ...holds.map(memberOf)],
  );
  if (reply.kind === 'unknown') return { kind: 'unknown' };
  if (reply.kind === 'closed') return { kind: 'retry', reason: 'GATE_CLOSED' };
  if (reply.kind === 'failed') return { kind: 'retry', reason: 'BUSY' };
  const [word, ...rest] = reply.parts;
  if (word === 'TAKEN') return { kind: 'taken', epoch: reply.epoch, generations: rest.map(Number) };
  if (word === 'SOLD_OUT') return { kind: 'sold-out', left: rest.map(Number) };
  if (word === 'BUSY') return { kind: 'retry', reason: 'BUSY' };
  if (word === 'STALE_EPOCH') {
    await caller.refresh();
    return { kind: 'retry', reason: 'STALE_EPOCH' };
  }
  const index = Number(rest[0]) - 1;
  const sku = holds[index];
  if (word !== 'NOT_LOADED' || !sku) throw new Error(`take answered ${reply.parts.join(' ')}`);
  const verdict = await judgeNotLoaded({ ...deps, caller }, sku, reply.epoch);
  return verdict === 'UNKNOWN_SKU' ? { kind: 'unknown-sku', index } : { kind: 'retry', reason: verdict };
}

/** One call a SKU, all under way at once; the worst outcome of them is the answer. */
async function move(caller: GateCaller, verb: 'giveBack' | 'settle', holds: readonly Hold[]): Promise<MoveOutcome> {
  const bySku = Map.groupBy(holds, (hold) => skuKeys(hold)[0]);
  const replies = await Promise.all(
    [...bySku.values()].map((group) =>
      caller.call(verb, group.slice(0, 1).flatMap(skuKeys), () => group.map(memberOf)),
    ),
  );
  if (replies.some((reply) => reply.kind === 'unknown')) return 'unknown';
  return replies.every((reply) => reply.kind === 'reply' && reply.parts[0] === 'DONE') ? 'done' : 'closed';
}

export function memberOf(hold: Pick<Hold, 'reservationId' | 'quantity'>): string {
  return `${hold.reservationId}:${hold.quantity}`;
}

function decodeRead(reply: GateReply, limit: number): HoldPage {
  if (reply.kind === 'closed') return { kind: 'unknown', why: 'GATE_CLOSED' };
  if (reply.kind === 'unknown') return { kind: 'unknown', why: 'NO_ANSWER' };
  if (reply.kind === 'failed') return { kind: 'unknown', why: 'BROKEN_KEY' };
  const [word, generation, total, deducted, version, holdCount, ...pairs] = reply.parts;
  if (word === 'NOT_LOADED' || word === 'BUSY' || word === 'STALE_EPOCH') return { kind: 'unknown', why: word };
  if (word !== 'READ') throw new Error(`read answered ${reply.parts.slice(0, KEYS_PER_SKU).join(' ')}`);
  const holds: GateHold[] = [];
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    const [reservationId = '', units] = (pairs[i] ?? '').split(':');
    holds.push({ reservationId, quantity: Number(units), takenAtMs: Number(pairs[i + 1]) });
  }
  return {
    kind: 'read',
    epoch: reply.epoch,
    generation: Number(generation),
    total: Number(total),
    deducted: Number(deducted),
    version: Number(version),
    holdCount: Number(holdCount),
    holds,
    more: limit > 0 && holds.length === limit,
  };
}

function withoutHolds(page: HoldPage): GateCounters | GateUnknown {
  if (page.kind === 'unknown') return page;
  const { holds: _holds, more: _more, ...counters } = page;
  return counters;
}
