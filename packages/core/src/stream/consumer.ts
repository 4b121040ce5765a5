/**
 * A running consumer: one Kafka group. The offset is committed after the database transaction, so a crash in
 * between repeats messages, which the inbox knows. During an outage the partition waits and heartbeats, for as
 * long as it takes; nothing becomes a dead letter by it (P33).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer, EachBatchPayload } from 'kafkajs';
import type { ConsumerDefinition, ConsumerDeps } from './consumer-definition.ts';
import { concerns, handleSlice } from './handle-slice.ts';
import type { Origin } from './read-message.ts';

/** Events of one transaction. */
const MAX_SLICE_EVENTS = 500;
const PARTITIONS_AT_ONCE = 2;
const HEARTBEAT_MS = 3000;
/** How quickly a stop is noticed while waiting for a server to come back. */
const STEP_MS = 100;

export interface ConsumerHealth {
  readonly name: string;
  /** Member of its group and reading. */
  readonly running: boolean;
  readonly lastHandledAt: Date | null;
  /** Messages behind the end of its partitions, as of the last batches. */
  readonly lag: number;
  /** Set while the consumer waits for a server. */
  readonly waitingFor: string | null;
}
export interface RunningConsumer {
  readonly name: string;
  health(): ConsumerHealth;
  /** Ends after the transactions under way. */
  stop(): Promise<void>;
}
interface State {
  running: boolean;
  lastHandledAt: Date | null;
  waitingFor: string | null;
  readonly lag: Map<number, number>;
}

/** Joins the group and consumes until stopped. @throws when the broker cannot be reached at the start */
export async function startConsumer(
  deps: ConsumerDeps,
  definition: ConsumerDefinition,
): Promise<RunningConsumer> {
  const state: State = { running: false, lastHandledAt: null, waitingFor: null, lag: new Map() };
  const consumer = deps.stream.kafka.consumer({
    groupId: definition.group ?? definition.name,
    sessionTimeout: 20_000,
    rebalanceTimeout: 30_000,
    heartbeatInterval: HEARTBEAT_MS,
    minBytes: 1,
    maxWaitTimeInMs: 50,
    maxBytesPerPartition: 1_048_576,
    allowAutoTopicCreation: false,
    retry: { initialRetryTime: 100, maxRetryTime: 3000, retries: 8 },
  });
  watch(consumer, deps, definition, state);
  await consumer.connect();
  await consumer.subscribe({ topics: [definition.topic], fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
    eachBatch: (payload) => consumeBatch(deps, definition, state, payload),
  });
  return {
    name: definition.name,
    health: () => ({
      name: definition.name,
      running: state.running,
      lastHandledAt: state.lastHandledAt,
      waitingFor: state.waitingFor,
      lag: [...state.lag.values()].reduce((sum, lag) => sum + lag, 0),
    }),
    async stop() {
      await consumer.disconnect();
      state.running = false;
    },
  };
}

/** kafkajs restarts a crashed consumer by itself where it thinks that helps; where it does not, the process ends. */
function watch(
  consumer: Consumer,
  { log, onFatal }: ConsumerDeps,
  { name }: ConsumerDefinition,
  state: State,
): void {
  consumer.on(consumer.events.GROUP_JOIN, () => {
    state.running = true;
    state.lag.clear();
  });
  consumer.on(consumer.events.CRASH, ({ payload: { error, restart } }) => {
    state.running = false;
    if (restart) log.warn({ error, consumer: name }, 'consumer lost the broker and starts again');
    else onFatal(new Error(`consumer ${name} died: ${error.message}`, { cause: error }));
  });
}

async function consumeBatch(
  deps: ConsumerDeps,
  definition: ConsumerDefinition,
  state: State,
  payload: EachBatchPayload,
): Promise<void> {
  const {
    batch: { topic, partition, messages, highWatermark },
  } = payload;
  const stopped = () => !payload.isRunning() || payload.isStale();
  const origins = messages.map((message): Origin => ({ topic, partition, offset: message.offset, message }));
  for (const { slice, lastOffset } of cutSlices(definition, origins)) {
    if (slice.length > 0 && !(await handleWhenPossible(deps, definition, state, slice, payload, stopped)))
      return;
    if (slice.length > 0) state.lastHandledAt = new Date();
    const next = BigInt(lastOffset) + 1n;
    payload.resolveOffset(lastOffset);
    await payload.commitOffsetsIfNecessary({
      topics: [{ topic, partitions: [{ partition, offset: next.toString() }] }],
    });
    state.lag.set(partition, Number(BigInt(highWatermark) - next));
    await payload.heartbeat();
  }
}

/** True once the slice is handled; false when the consumer stops or loses the partition before that. */
async function handleWhenPossible(
  deps: ConsumerDeps,
  definition: ConsumerDefinition,
  state: State,
  slice: readonly Origin[],
  payload: EachBatchPayload,
  stopped: () => boolean,
): Promise<boolean> {
  const { initialMs, multiplier, maxMs } = deps.backOff;
  for (let wait = initialMs; !stopped(); wait = Math.min(wait * multiplier, maxMs)) {
    try {
      await withHeartbeats(payload, () => handleSlice(deps, definition, slice));
      if (state.waitingFor) deps.log.info({ consumer: definition.name }, 'consumer goes on');
      state.waitingFor = null;
      return true;
    } catch (error) {
      state.waitingFor = error instanceof Error ? error.message : String(error);
      deps.log.warn(
        { error, consumer: definition.name, waitMs: wait },
        'a server is away; the consumer waits and tries again',
      );
    }
    const until = Date.now() + wait * (0.75 + Math.random() / 2);
    while (!stopped() && Date.now() < until) {
      await sleep(Math.min(STEP_MS, wait));
      await payload.heartbeat();
    }
  }
  return false;
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

/** Cuts a batch so that each slice holds at most MAX_SLICE_EVENTS that concern this consumer; others pass along. */
function cutSlices(
  definition: ConsumerDefinition,
  origins: readonly Origin[],
): { slice: Origin[]; lastOffset: string }[] {
  const slices: { slice: Origin[]; lastOffset: string }[] = [];
  for (const origin of origins) {
    let current = slices.at(-1);
    if (!current || current.slice.length >= MAX_SLICE_EVENTS) {
      current = { slice: [], lastOffset: origin.offset };
      slices.push(current);
    }
    if (concerns(definition, origin)) current.slice.push(origin);
    current.lastOffset = origin.offset;
  }
  return slices;
}
