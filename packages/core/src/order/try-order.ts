/**
 * One attempt to place an order with ids of its own: take per shop, commit, and on a known refusal give back exactly
 * what this attempt took (P3, P13, P15).
 */
import { type Failure, refuse } from '../domain/index.ts';
import type { Hold, TakeOutcome } from '../gate/index.ts';
import type { AttemptMemory, Placed } from './attempt-memory.ts';
import { buildAttempt, type OrderAttempt, type PreparedOrder } from './build-order.ts';
import type { CommitOutcome } from './commit-batch.ts';
import { openOrderOrRetry, ownOrderOrSoldOut } from './end-own-order.ts';
import { answerKnown, findByKey } from './find-by-key.ts';
import type { PlaceOrderDeps } from './order-desk.ts';
import { settleOpenIds } from './settle-open-ids.ts';

export type TryOutcome =
  | Placed
  | Failure
  | { readonly kind: 'retry'; readonly reason: 'GATE_CLOSED' | 'STALE_EPOCH' | 'BUSY' };

export async function tryOrder(deps: PlaceOrderDeps, order: PreparedOrder, memory: AttemptMemory): Promise<TryOutcome> {
  const attempt = buildAttempt(order);
  const holds = attempt.shopOrders.flatMap((so) => so.lines);
  // Sent before the take on one connection, awaited with it: a crash from here on leaves a trace of the ids.
  const noted = memory
    .noteIds(holds)
    .catch((error: unknown) => deps.log.debug({ error: String(error) }, 'attempt not noted'));
  const taken = await takeAll(deps, attempt);
  await deps.stopAt?.('order.after-take');
  await noted;
  if (taken.kind === 'unknown') return settleUnknown(deps, order, holds);
  if (taken.kind === 'refused' && taken.code === 'SOLD_OUT')
    return ownOrderOrSoldOut(deps, { buyerId: order.buyerId, cartId: order.input.cartId }, taken);
  if (taken.kind !== 'taken') return taken;
  await deps.stopAt?.('order.before-commit');
  const outcome = await deps.batcher.commit({ order, attempt, epoch: taken.epoch, generations: taken.generations });
  await deps.stopAt?.('order.after-commit');
  return judgeCommit(deps, order, attempt, holds, outcome);
}

type TakeAll =
  | { kind: 'taken'; epoch: number; generations: Map<string, number> }
  | { kind: 'unknown' }
  | Exclude<TryOutcome, Placed>;

/** Once a shop, in sorted order, all under one epoch; a later refusal gives back the takes known to have succeeded. */
async function takeAll(deps: PlaceOrderDeps, attempt: OrderAttempt): Promise<TakeAll> {
  const generations = new Map<string, number>();
  const known: Hold[] = [];
  let epoch: number | undefined;
  for (const { lines } of attempt.shopOrders) {
    const outcome = await deps.gate.take(lines);
    // The earlier takes stay with the unknown one: all ids of the attempt share one fate.
    if (outcome.kind === 'unknown') return outcome;
    if (outcome.kind === 'taken') {
      known.push(...lines);
      for (const [i, line] of lines.entries()) generations.set(line.reservationId, outcome.generations[i] ?? -1);
      epoch ??= outcome.epoch;
      if (epoch === outcome.epoch) continue;
    }
    if (known.length > 0) await deps.gate.giveBack(known);
    return outcome.kind === 'taken' ? { kind: 'retry', reason: 'STALE_EPOCH' } : refusalOf(outcome, lines);
  }
  return { kind: 'taken', epoch: epoch ?? -1, generations };
}

function refusalOf(
  outcome: Exclude<TakeOutcome, { kind: 'taken' | 'unknown' }>,
  lines: readonly (Hold & { name: string })[],
): Exclude<TryOutcome, Placed> {
  if (outcome.kind === 'retry') return outcome;
  if (outcome.kind === 'unknown-sku')
    return refuse('UNKNOWN_SKU', `${lines[outcome.index]?.name ?? 'This item'} is not for sale`, { field: 'lines' });
  const short = lines
    .map((line, i) => ({
      shopId: line.shopId,
      skuId: line.skuId,
      wanted: line.quantity,
      left: outcome.left[i] ?? 0,
      name: line.name,
    }))
    .filter((line) => line.left < line.wanted);
  const names = short.map((line) =>
    line.left === 0 ? `${line.name} is sold out` : `only ${line.left} of ${line.name} left`,
  );
  return refuse('SOLD_OUT', names.join('; '), { lines: short.map(({ name: _name, ...line }) => line) });
}

async function judgeCommit(
  deps: PlaceOrderDeps,
  order: PreparedOrder,
  attempt: OrderAttempt,
  holds: readonly Hold[],
  outcome: CommitOutcome,
): Promise<TryOutcome> {
  if (outcome.kind === 'unknown') {
    deps.log.warn({ tradeId: attempt.tradeId, error: String(outcome.error) }, 'order commit without an answer');
    return settleUnknown(deps, order, holds);
  }
  if (
    outcome.kind === 'answered' &&
    (outcome.verdict === 'PLACED' || outcome.tradeId === attempt.tradeId) &&
    outcome.payUntil
  ) {
    deps.waker.wake('outbox');
    return {
      kind: 'placed',
      tradeId: attempt.tradeId,
      payUntil: outcome.payUntil.toISOString(),
      totalMinor: attempt.totalMinor,
      currency: order.currency,
      repeated: false,
    };
  }
  // From here it is known that this attempt made no order: its own ids, and only those, go back.
  await deps.gate.giveBack(holds);
  if (outcome.kind === 'not-done') {
    if (outcome.passing) return { kind: 'retry', reason: 'BUSY' };
    throw new Error('order commit failed', { cause: outcome.error });
  }
  switch (outcome.verdict) {
    case 'STALE_EPOCH':
    case 'ABANDONED':
      await deps.gate.refresh().catch((error: unknown) => deps.log.debug({ error: String(error) }, 'epoch not read'));
      return { kind: 'retry', reason: 'STALE_EPOCH' };
    case 'EXISTING':
      return knownOrder(deps, order);
    case 'UNKNOWN_SKU':
      deps.prices.forget();
      return refuse('UNKNOWN_SKU', 'An item of this order is no longer for sale.', { field: 'lines' });
    case 'PRICE_CHANGED':
      deps.prices.forget();
      return refuse('PRICE_CHANGED', 'A price has changed. Please look at your cart again.', { field: 'lines' });
    case 'OPEN_ORDER':
      return openOrderOrRetry(deps, outcome.tradeId);
    case 'LIMIT_EXCEEDED':
      return refuse(
        'LIMIT_EXCEEDED',
        `At most ${deps.config.order.ORDER_OPEN_LIMIT} unpaid orders at a time. Pay or cancel one first.`,
      );
    case 'PLACED':
      throw new Error(`order ${attempt.tradeId} placed without a deadline`);
  }
}

/** The key has an order already: the same answer for the same body, a refusal for another one (P22). */
async function knownOrder(deps: PlaceOrderDeps, order: PreparedOrder): Promise<TryOutcome> {
  const known = await findByKey(deps.pool, order.buyerId, order.input.key).catch((error: unknown) => {
    deps.log.warn({ error: String(error) }, 'could not read the order of a known key');
    return undefined;
  });
  return known ? answerKnown(known, order.fingerprint) : { kind: 'retry', reason: 'BUSY' };
}

/** Without an answer nothing is given back before it is known that no order can come of it; then it is tried anew. */
async function settleUnknown(deps: PlaceOrderDeps, order: PreparedOrder, holds: readonly Hold[]): Promise<TryOutcome> {
  const { buyerId, fingerprint, input } = order;
  const settled = await settleOpenIds(deps, { buyerId, fingerprint, key: input.key }, holds);
  return settled ?? { kind: 'retry', reason: 'BUSY' };
}
