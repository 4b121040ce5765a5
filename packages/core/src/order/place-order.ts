/**
 * Placing an order (design section 6): price, take at the gate, commit once, answer. One key makes one order, for ever
 * (P22). Whatever is not known is treated as still held (P15): nothing is given back unless it is known that the
 * take succeeded and the commit did not happen, or the ids have been abandoned under the key's lock.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { FAILURES, type Failure, isRefused, refuse } from '../domain/index.ts';
import { type AttemptMemory, attemptMemory, type Placed } from './attempt-memory.ts';
import { beginAttempt } from './begin-attempt.ts';
import { answerKnown, findByKey, mismatch } from './find-by-key.ts';
import type { PlaceOrderDeps } from './order-desk.ts';
import { fingerprintOf, type PlaceOrderInput, sumLines } from './order-input.ts';
import { prepareOrder } from './prepare-order.ts';
import { settleOpenIds } from './settle-open-ids.ts';
import { type TryOutcome, tryOrder } from './try-order.ts';

export interface PlaceOrderCommand extends PlaceOrderInput {
  readonly buyerId: string;
  readonly traceId: string;
}

export type PlaceOrderResult = Placed | Failure;

const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 250;

/**
 * @param command parsed input; quantities in units, prices in minor units.
 * @returns the order (the same for every repeat of its key), or a refusal that left nothing held or stored.
 * OUTCOME_UNKNOWN and the other retryable refusals may be sent again with the same key.
 */
export async function placeOrder(deps: PlaceOrderDeps, command: PlaceOrderCommand): Promise<PlaceOrderResult> {
  const started = performance.now();
  const result = await decide(deps, command, started + deps.config.order.ORDER_REQUEST_LIMIT_MS);
  deps.metrics.orderSeconds.observe((performance.now() - started) / 1000);
  deps.metrics.orders.inc({
    outcome: result.kind === 'placed' ? (result.repeated ? 'REPEATED' : 'PLACED') : result.code,
  });
  return result;
}

async function decide(deps: PlaceOrderDeps, command: PlaceOrderCommand, deadline: number): Promise<PlaceOrderResult> {
  const summed = sumLines(command.lines);
  if (isRefused(summed)) return summed;
  const fingerprint = fingerprintOf(command, summed.lines);
  const memory = attemptMemory(
    deps.redis,
    command.buyerId,
    command.key,
    deps.config.order.ORDER_IDEMPOTENCY_TTL_SECONDS,
  );
  const begun = await beginAttempt(deps, memory, summed.lines, deadline);
  if (begun.kind === 'answer')
    return begun.fingerprint === fingerprint ? { ...begun.answer, repeated: true } : mismatch();
  if (begun.kind === 'refused') return orKnown(deps, command, fingerprint, begun);

  // Until a better end is known the ids stay noted, so that the next request with this key looks for them.
  let end: 'unknown' | 'refused' | 'placed' = 'unknown';
  try {
    // An earlier request with this key ended unknown: its order is found, or its ids are given back (P22).
    const settled =
      begun.openIds.length > 0 ? await settleOpenIds(deps, { ...command, fingerprint }, begun.openIds) : undefined;
    const order = { command, lines: summed.lines, fingerprint, deadline };
    let result = settled ?? (await priceAndTry(deps, order, memory));
    if (result.kind === 'refused' && result.code !== 'OUTCOME_UNKNOWN')
      result = await orKnown(deps, command, fingerprint, result);
    if (result.kind === 'placed') {
      memory.remember(result, fingerprint);
      end = 'placed';
    } else if (result.code !== 'OUTCOME_UNKNOWN') end = 'refused';
    return result;
  } finally {
    if (end !== 'placed') memory.release(end);
  }
}

/**
 * GATE_CLOSED, STALE_EPOCH and BUSY are repeated here, so that a rebuild costs a buyer time, not an order (P16). Each
 * try is priced anew, through the cache: a mode that has changed is read again (P9).
 */
async function priceAndTry(
  deps: PlaceOrderDeps,
  order: Parameters<typeof prepareOrder>[1],
  memory: AttemptMemory,
): Promise<PlaceOrderResult> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    const prepared = await prepareOrder(deps, order);
    if (prepared.kind === 'refused') return prepared;
    const outcome: TryOutcome = await tryOrder(deps, prepared.order, memory);
    if (outcome.kind !== 'retry') return outcome;
    if (performance.now() + wait > order.deadline)
      return outcome.reason === 'BUSY' || outcome.reason === 'OTHER_MODE'
        ? refuse('BUSY', 'The shop is busy. Please try again.', { retryAfterMs: 500 })
        : refuse('GATE_CLOSED', 'The shop cannot take orders right now. Please try again.', { retryAfterMs: 1000 });
    await sleep(wait * (0.5 + Math.random() / 2));
  }
}

/** A refusal is given only when the key has made no order before: same key and body, same answer, for ever (C13). */
async function orKnown(
  deps: PlaceOrderDeps,
  command: PlaceOrderCommand,
  fingerprint: string,
  refusal: Failure,
): Promise<PlaceOrderResult> {
  if (refusal.code === 'IDEMPOTENCY_MISMATCH') return refusal;
  try {
    const known = await findByKey(deps.pool, command.buyerId, command.key);
    return known ? answerKnown(known, fingerprint) : refusal;
  } catch (error) {
    deps.log.warn({ error: String(error) }, 'could not look for an earlier order');
    return FAILURES[refusal.code].retryable
      ? refusal
      : refuse('BUSY', 'The shop is busy. Please try again.', { retryAfterMs: 500 });
  }
}
