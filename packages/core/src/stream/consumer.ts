/** A running consumer: one member of its Kafka group, with its health. */
import type { Consumer } from 'kafkajs';
import { REQUEST_MS } from './connect-kafka.ts';
import {
  type ConsumerState,
  consumeStretches,
  cutStretches,
  HEARTBEAT_MS,
  MAX_STRETCH_EVENTS,
  type Stretch,
} from './consume-stretches.ts';
import type { ConsumerDefinition, ConsumerDeps } from './consumer-definition.ts';
import { createGathering } from './gather.ts';

/**
 * The broker answers a fetch as soon as there is something, else after the wait. The relay sends in groups, so a
 * stream of events comes in groups too, and a quiet topic costs next to nothing.
 */
const FETCH_BYTES = 1;
const FETCH_WAIT_MS = 500;
/** For a consumer that nobody waits for: its share of a busy topic, in one piece instead of with each group. */
const GATHERED_BYTES = 1_048_576;
const GATHERED_WAIT_MS = 300;

/**
 * How long a killed member holds its group up. Below the client's request time-out: the others wait for a dead leader
 * in one request, and one that gave up would come back as another member, to be waited for in turn.
 */
const SESSION_MS = REQUEST_MS - 5000;

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

/** Joins the group and consumes until stopped. @throws when the broker cannot be reached at the start */
export async function startConsumer(deps: ConsumerDeps, definition: ConsumerDefinition): Promise<RunningConsumer> {
  const { name, topic, group = name } = definition;
  const state: ConsumerState = { running: false, lastHandledAt: null, waitingFor: null, lag: new Map() };
  const consumer = deps.stream.kafka.consumer({
    groupId: `${deps.stream.prefix}${group}`,
    sessionTimeout: SESSION_MS,
    rebalanceTimeout: 30_000,
    heartbeatInterval: HEARTBEAT_MS,
    minBytes: definition.unhurried ? GATHERED_BYTES : FETCH_BYTES,
    maxWaitTimeInMs: definition.unhurried ? GATHERED_WAIT_MS : FETCH_WAIT_MS,
    maxBytesPerPartition: 1_048_576,
    allowAutoTopicCreation: false,
    retry: { initialRetryTime: 100, maxRetryTime: 3000, retries: 8 },
  });
  watch(consumer, deps, name, state);
  const gathering = createGathering<Stretch>(
    MAX_STRETCH_EVENTS,
    (stretch) => stretch.origins.length,
    (stretches) => consumeStretches(deps, definition, state, stretches),
  );
  await consumer.connect();
  await consumer.subscribe({ topics: [`${deps.stream.prefix}${topic}`], fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    // All partitions at once, because the gathering joins them; it runs one transaction at a time.
    partitionsConsumedConcurrently: deps.stream.partitions,
    async eachBatch(payload) {
      for (const stretch of cutStretches(definition, payload)) await gathering.add(stretch);
    },
  });
  return {
    name,
    health: () => ({
      name,
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
function watch(consumer: Consumer, { log, onFatal }: ConsumerDeps, name: string, state: ConsumerState): void {
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
