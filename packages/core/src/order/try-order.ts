/**
 * One attempt to place an order with ids of its own: take per shop what is sold at the gate, commit, and on a known
 * refusal give back exactly what this attempt took (P3, P13, P15).
 */
import { type Failure, refuse } from '../domain/index.ts';
import type { Hold } from '../gate/index.ts';
import type { AttemptMemory, Placed } from './attempt-memory.ts';
import { buildAttempt, isAtGate, linesOf, type OrderAttempt, type PreparedOrder } from './build-order.ts';
import type { CommitOutcome } from './commit-batch.ts';
import { openOrderOrRetry, ownOrderOrSoldOut } from './end-own-order.ts';
import { answerKnown, findByKey } from './find-by-key.ts';
import { lookAtLimits } from './limits/look-at-limits.ts';
import type { PlaceOrderDeps } from './order-desk.ts';
import { refuseCommit, tooManyOpen } from './refuse-commit.ts';
import { settleOpenIds } from './settle-open-ids.ts';
import { type Retry, takeAll } from './take-units.ts';

export type TryOutcome = Placed | Failure | Retry;

/** In the buyer's turn: of many tries of one buyer at once, few hold units while their limits are judged (P23). */
export async function tryOrder(deps: PlaceOrderDeps, order: PreparedOrder, memory: AttemptMemory): Promise<TryOutcome> {
  const { buyerId, deadline } = order;
  const outcome = await deps.turns.take(buyerId, deadline, async (crowded) => {
    const attempt = buildAttempt(order);
    const refused = crowded ? await overLimits(deps, order, attempt) : undefined;
    return refused ?? takeAndCommit(deps, order, attempt, memory);
  });
  return outcome ?? { kind: 'retry', reason: 'BUSY' };
}

/** A look that fails is no answer: the commit decides. */
async function overLimits(
  deps: PlaceOrderDeps,
  order: PreparedOrder,
  attempt: OrderAttempt,
): Promise<Failure | undefined> {
  const openOrdersLimit = deps.config.order.ORDER_OPEN_LIMIT;
  return lookAtLimits(deps.pool, order, attempt, { openOrdersLimit }).catch((error: unknown) => {
    deps.log.debug({ error: String(error) }, 'limits not looked at before the take');
    return undefined;
  });
}

async function takeAndCommit(
  deps: PlaceOrderDeps,
  order: PreparedOrder,
  attempt: OrderAttempt,
  memory: AttemptMemory,
): Promise<TryOutcome> {
  const holds = linesOf(attempt).filter(isAtGate);
  // Sent before the take on one connection, awaited with it: a crash from here on leaves a trace of the ids.
  const noted =
    holds.length > 0
      ? memory.noteIds(holds).catch((error: unknown) => deps.log.debug({ error: String(error) }, 'attempt not noted'))
      : undefined;
  const taken = await takeAll(deps.gate, attempt);
  await deps.stopAt?.('order.after-take');
  await noted;
  if (taken.kind === 'unknown') return settleUnknown(deps, order, linesOf(attempt));
  if (taken.kind === 'refused' && taken.code === 'SOLD_OUT') return soldOutOrOwn(deps, order, taken);
  if (taken.kind === 'retry' && taken.reason === 'OTHER_MODE') deps.prices.forget(order.lines);
  if (taken.kind !== 'taken') return taken;
  await deps.stopAt?.('order.before-commit');
  const outcome = await deps.batcher.commit({ order, attempt, epoch: taken.epoch, generations: taken.generations });
  await deps.stopAt?.('order.after-commit');
  return judgeCommit(deps, order, attempt, holds, outcome);
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
    return settleUnknown(deps, order, linesOf(attempt));
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
  if (holds.length > 0) await deps.gate.giveBack(holds);
  if (outcome.kind === 'not-done') {
    if (outcome.passing) return { kind: 'retry', reason: 'BUSY' };
    throw new Error('order commit failed', { cause: outcome.error });
  }
  return refusalOf(deps, order, attempt, outcome);
}

async function refusalOf(
  deps: PlaceOrderDeps,
  order: PreparedOrder,
  attempt: OrderAttempt,
  outcome: Extract<CommitOutcome, { kind: 'answered' }>,
): Promise<TryOutcome> {
  switch (outcome.verdict) {
    case 'STALE_EPOCH':
    case 'ABANDONED':
      // Another epoch, another generation, or units that are now sold elsewhere: epoch and modes are read anew.
      deps.prices.forget(order.lines);
      await deps.gate.refresh().catch((error: unknown) => deps.log.debug({ error: String(error) }, 'epoch not read'));
      return { kind: 'retry', reason: 'STALE_EPOCH' };
    case 'LIMITED':
      deps.prices.forget(order.lines);
      return { kind: 'retry', reason: 'BUSY' };
    case 'EXISTING':
      return knownOrder(deps, order);
    case 'UNKNOWN_SKU':
      deps.prices.forget(order.lines);
      return refuse('UNKNOWN_SKU', 'An item of this order is no longer for sale.', { field: 'lines' });
    case 'PRICE_CHANGED':
      deps.prices.forget(order.lines);
      return refuse('PRICE_CHANGED', 'A price has changed. Please look at your cart again.', { field: 'lines' });
    case 'OPEN_ORDER':
      return openOrderOrRetry(deps, outcome.tradeId);
    case 'LIMIT_EXCEEDED':
      return tooManyOpen(deps.config.order.ORDER_OPEN_LIMIT);
    case 'SOLD_OUT':
    case 'BUYER_LIMIT':
    case 'COUPON_REFUSED':
      return refuseCommit(outcome.verdict, outcome.detail, attempt);
    case 'PLACED':
      throw new Error(`order ${attempt.tradeId} placed without a deadline`);
  }
}

function soldOutOrOwn(deps: PlaceOrderDeps, order: PreparedOrder, soldOut: Failure): Promise<Failure | Retry> {
  return ownOrderOrSoldOut(deps, { buyerId: order.buyerId, cartId: order.input.cartId }, soldOut);
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
async function settleUnknown(deps: PlaceOrderDeps, order: PreparedOrder, ids: readonly Hold[]): Promise<TryOutcome> {
  const { buyerId, fingerprint, input } = order;
  const settled = await settleOpenIds(deps, { buyerId, fingerprint, key: input.key }, ids);
  return settled ?? { kind: 'retry', reason: 'BUSY' };
}
