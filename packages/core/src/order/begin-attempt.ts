/**
 * The start of a request with its idempotency key (P22): the answer that is known, or the turn to work on it. With Redis
 * away an order that needs no gate goes on, for the unique key on `trade` alone makes it one; so strict systems say no.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Failure, refuse } from '../domain/index.ts';
import type { AttemptMemory, Memory } from './attempt-memory.ts';
import type { PlaceOrderDeps } from './order-desk.ts';
import type { OrderLineInput } from './order-input.ts';

const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 250;

/** Waits while another request with the same key is at work, until it has an answer. */
export async function beginAttempt(
  deps: PlaceOrderDeps,
  memory: AttemptMemory,
  lines: readonly OrderLineInput[],
  deadline: number,
): Promise<Exclude<Memory, { kind: 'at-work' }> | Failure> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    const found = await memory
      .begin()
      .catch(() =>
        refuse('GATE_CLOSED', 'The shop cannot take orders right now. Please try again.', { retryAfterMs: 1000 }),
      );
    if (found.kind === 'answer' || found.kind === 'begun') return found;
    if (found.kind === 'refused' && (await needsNoRedis(deps, lines))) return { kind: 'begun', openIds: [] };
    if (performance.now() + wait > deadline)
      return found.kind === 'refused'
        ? found
        : refuse('BUSY', 'The same order is still being placed. Please try again.', { retryAfterMs: 1000 });
    await sleep(wait * (0.5 + Math.random() / 2));
  }
}

async function needsNoRedis(
  { prices, config, log }: PlaceOrderDeps,
  lines: readonly OrderLineInput[],
): Promise<boolean> {
  if (config.order.ORDER_IDEMPOTENCY_FAIL_ON_REDIS_ERROR) return false;
  const priced = await prices.price(lines).catch((error: unknown) => {
    log.debug({ error: String(error) }, 'modes not read');
    return undefined;
  });
  return priced?.kind === 'priced' && priced.lines.every((line) => line.gateMode === 'DATABASE');
}
