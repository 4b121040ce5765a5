/**
 * The gate as the rest of the product sees it: take, giveBack, settle, read. Each answer says what is known.
 * Anything missing is neither zero nor unlimited (P8).
 */
import { createGateCaller, type GateCaller, type GateDeps } from './gate-call.ts';
import { judgeNotLoaded } from './judge-not-loaded.ts';
import { type SkuRef, skuKeys } from './keys.ts';
import { type GateReading, type HoldPage, notLoadedDeps, readCounters, readHoldPage } from './read-gate.ts';
import { decodeMove, decodeTake } from './replies.ts';

/** Units of one order line at the gate. */
export interface Hold extends SkuRef {
  readonly reservationId: string;
  /** Units. */
  readonly quantity: number;
}

type Retry = { readonly kind: 'retry'; readonly reason: 'GATE_CLOSED' | 'STALE_EPOCH' | 'BUSY' | 'OTHER_MODE' };
export type TakeOutcome =
  | { readonly kind: 'taken'; readonly epoch: number; readonly generations: readonly number[] }
  | { readonly kind: 'sold-out'; readonly left: readonly number[] }
  | Retry
  | { readonly kind: 'unknown-sku'; readonly index: number }
  | { readonly kind: 'unknown' };

/** `closed`: known not to have happened. `unknown`: it may still happen. */
export type MoveOutcome = 'done' | 'closed' | 'unknown';

export interface Gate {
  /** All lines of one shop or none; every line another SKU. P13: the ids must be new. */
  take(holds: readonly Hold[]): Promise<TakeOutcome>;
  giveBack(holds: readonly Hold[]): Promise<MoveOutcome>;
  settle(holds: readonly Hold[]): Promise<MoveOutcome>;
  /** Counters, with at most `holdsEach` of each SKU's holds, oldest first: none unless asked for. */
  read(skus: readonly SkuRef[], holdsEach?: number): Promise<GateReading[]>;
  readHolds(sku: SkuRef, from: number, limit: number, olderThanMs?: number): Promise<HoldPage>;
  state(): { readonly epoch: number; readonly open: boolean } | undefined;
  refresh: GateCaller['refresh'];
}

export function createGate(deps: GateDeps): Gate {
  const caller = createGateCaller(deps);
  return {
    state: () => caller.life(),
    refresh: caller.refresh,
    take: (holds) => take(caller, deps, holds),
    giveBack: (holds) => move(caller, 'giveBack', holds),
    settle: (holds) => move(caller, 'settle', holds),
    read: (skus, holdsEach = 0) => readCounters(caller, deps, skus, holdsEach),
    readHolds: (sku, from, limit, olderThanMs = 0) => readHoldPage(caller, deps, sku, { from, limit, olderThanMs }),
  };
}

async function take(caller: GateCaller, deps: GateDeps, holds: readonly Hold[]): Promise<TakeOutcome> {
  const keys = holds.flatMap((hold) => skuKeys(hold));
  const reply = await caller.call('take', keys, (life) => [String(life.clockOffsetMs), ...holds.map(memberOf)]);
  if (reply.kind === 'unknown') return { kind: 'unknown' };
  if (reply.kind === 'closed') return { kind: 'retry', reason: 'GATE_CLOSED' };
  if (reply.kind === 'failed') return { kind: 'retry', reason: 'BUSY' };
  const answer = decodeTake(reply.parts);
  switch (answer.word) {
    case 'TAKEN':
      return { kind: 'taken', epoch: reply.epoch, generations: answer.generations };
    case 'SOLD_OUT':
      return { kind: 'sold-out', left: answer.left };
    case 'BUSY':
      return { kind: 'retry', reason: 'BUSY' };
    case 'STALE_EPOCH':
      return afterLook(deps, () => staleEpoch(caller, deps, holds, { under: reply.epoch, index: answer.index }));
    case 'NOT_LOADED':
      return afterLook(deps, () => notLoaded(caller, deps, holds, answer.index));
  }
}

/** Mostly a new life of the gate. A key of another epoch than the open one is as good as lost (P9). */
async function staleEpoch(
  caller: GateCaller,
  deps: GateDeps,
  holds: readonly Hold[],
  { under, index }: { readonly under: number; readonly index: number },
): Promise<TakeOutcome> {
  const life = await caller.refresh();
  return life.open && life.epoch === under
    ? notLoaded(caller, deps, holds, index)
    : { kind: 'retry', reason: 'STALE_EPOCH' };
}

async function notLoaded(
  caller: GateCaller,
  deps: GateDeps,
  holds: readonly Hold[],
  index: number,
): Promise<TakeOutcome> {
  const sku = holds[index];
  if (!sku) throw new Error(`take named line ${index + 1} of ${holds.length}`);
  const verdict = await judgeNotLoaded(notLoadedDeps(deps, caller), sku);
  return verdict === 'UNKNOWN_SKU' ? { kind: 'unknown-sku', index } : { kind: 'retry', reason: verdict };
}

/** Nothing was taken; when the database cannot say why either, the buyer's request tries again (P16). */
async function afterLook(deps: GateDeps, look: () => Promise<TakeOutcome>): Promise<TakeOutcome> {
  try {
    return await look();
  } catch (error) {
    deps.log.debug({ error: String(error) }, 'the ledger could not be asked about the gate');
    return { kind: 'retry', reason: 'GATE_CLOSED' };
  }
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
  return replies.every((reply) => reply.kind === 'reply' && decodeMove(reply.parts).kind === 'done')
    ? 'done'
    : 'closed';
}

export function memberOf(hold: Pick<Hold, 'reservationId' | 'quantity'>): string {
  return `${hold.reservationId}:${hold.quantity}`;
}
