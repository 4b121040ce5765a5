/**
 * Handles stretches of partitions, then commits their offsets. The offset is committed after the database
 * transaction, so a crash in between repeats messages, which the inbox knows. During an outage the partitions wait
 * and the group hears heartbeats, for as long as it takes; nothing becomes a dead letter by it (P33). Any other error
 * that comes up to here is one that no waiting ends: the consumer dies loudly, with the offset where it was.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import kafkajs, { type EachBatchPayload } from 'kafkajs';
import type { ConsumerDefinition, ConsumerDeps } from './consumer-definition.ts';
import { concerns, handleSlice } from './handle-slice.ts';
import { mayPass } from './judge-error.ts';
import type { Origin } from './read-message.ts';

/** Events of one stretch, and of one transaction before the last stretch is added. */
export const MAX_STRETCH_EVENTS = 500;
export const HEARTBEAT_MS = 3000;
/** How quickly a stop is noticed while waiting for a server to come back. */
const STEP_MS = 100;

export interface Stretch {
  /** As the broker names it. */
  readonly topic: string;
  readonly partition: number;
  /** Those of its messages that concern the consumer. */
  readonly origins: Origin[];
  lastOffset: string;
  readonly highWatermark: string;
  readonly payload: EachBatchPayload;
}
export interface ConsumerState {
  running: boolean;
  lastHandledAt: Date | null;
  waitingFor: string | null;
  readonly lag: Map<number, number>;
}

/** Cuts a batch so that each stretch holds at most MAX_STRETCH_EVENTS that concern this consumer; others pass along. */
export function cutStretches(definition: ConsumerDefinition, payload: EachBatchPayload): Stretch[] {
  const {
    batch: { topic, partition, messages, highWatermark },
  } = payload;
  const stretches: Stretch[] = [];
  for (const message of messages) {
    const origin: Origin = { topic: definition.topic, partition, offset: message.offset, message };
    let current = stretches.at(-1);
    if (!current || current.origins.length >= MAX_STRETCH_EVENTS) {
      current = { topic, partition, origins: [], lastOffset: message.offset, highWatermark, payload };
      stretches.push(current);
    }
    if (concerns(definition, origin)) current.origins.push(origin);
    current.lastOffset = message.offset;
  }
  return stretches;
}

/** Returns quietly without an effect when the consumer stops; the messages come again. */
export async function consumeStretches(
  deps: ConsumerDeps,
  definition: ConsumerDefinition,
  state: ConsumerState,
  given: readonly Stretch[],
): Promise<void> {
  const stretches = given.filter(({ payload }) => payload.isRunning() && !payload.isStale());
  const [first] = stretches;
  if (!first) return;
  const origins = stretches.flatMap((stretch) => stretch.origins);
  if (origins.length > 0) {
    if (!(await handleWhenPossible(deps, definition, state, origins, first.payload))) return;
    state.lastHandledAt = new Date();
    await deps.stopAt?.('consumer.after-commit');
  }
  const next = (stretch: Stretch) => BigInt(stretch.lastOffset) + 1n;
  const partitions = stretches.map((s) => ({ partition: s.partition, offset: next(s).toString() }));
  for (const { payload, lastOffset } of stretches) payload.resolveOffset(lastOffset);
  await deps.stopAt?.('consumer.before-offset');
  await first.payload.commitOffsetsIfNecessary({ topics: [{ topic: first.topic, partitions }] });
  for (const stretch of stretches)
    state.lag.set(stretch.partition, Number(BigInt(stretch.highWatermark) - next(stretch)));
  await first.payload.heartbeat();
}

/** True once all is handled; false when the consumer stops before that. @throws what ends the consumer */
async function handleWhenPossible(
  deps: ConsumerDeps,
  definition: ConsumerDefinition,
  state: ConsumerState,
  origins: readonly Origin[],
  payload: EachBatchPayload,
): Promise<boolean> {
  const { initialMs, multiplier, maxMs } = deps.retry;
  for (let wait = initialMs; payload.isRunning(); wait = Math.min(wait * multiplier, maxMs)) {
    try {
      await withHeartbeats(payload, () => handleSlice(deps, definition, origins));
      if (state.waitingFor) deps.log.info({ consumer: definition.name }, 'consumer goes on');
      state.waitingFor = null;
      return true;
    } catch (error) {
      if (!mayPass(error)) throw fatal(error);
      state.waitingFor = error instanceof Error ? error.message : String(error);
      deps.log.warn(
        { error, consumer: definition.name, waitMs: wait },
        'a server is away; the consumer waits and tries again',
      );
    }
    const until = Date.now() + wait * (0.75 + Math.random() / 2);
    while (payload.isRunning() && Date.now() < until) {
      await sleep(Math.min(STEP_MS, wait));
      await payload.heartbeat();
    }
  }
  return false;
}

/** An error after which kafkajs neither tries again nor starts the consumer anew, so that `onFatal` hears of it. */
function fatal(error: unknown): Error {
  return new kafkajs.KafkaJSNonRetriableError(error instanceof Error ? error : String(error));
}

/** A transaction that waits for a lock must not cost the membership (C40). A lost one shows at the next heartbeat. */
async function withHeartbeats<T>({ heartbeat }: EachBatchPayload, work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => void heartbeat().catch(() => undefined), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
