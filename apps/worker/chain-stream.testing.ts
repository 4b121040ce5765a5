/** The worker's relay and consumers on topics of their own, each started and stopped by the test. */
import { mint } from '@holdfast/core/domain';
import { createLetterReports } from '@holdfast/core/ops';
import { createRelayLoop, type RelayLoop } from '@holdfast/core/outbox';
import { type Pool, silentLog, type WakeTopic } from '@holdfast/core/platform';
import {
  connectKafka,
  createProducer,
  ensureTopics,
  type LetterDeps,
  type Producer,
  type RunningConsumer,
  startConsumer,
} from '@holdfast/core/stream';
import { CONSUMERS } from './consumers/register.ts';

export interface ChainStreamParts {
  readonly name: string;
  readonly brokers: string | undefined;
  readonly pool: Pool;
  readonly wakeEffects: () => void;
  /** Puts something between the relay and the broker. */
  readonly around: (producer: Producer) => Producer;
}

export async function openChainStream({ name, brokers, pool, wakeEffects, around }: ChainStreamParts) {
  const prefix = `${name}-${mint<'prefix'>()}.`;
  const stores = { KAFKA_BROKERS: brokers ?? '', KAFKA_PARTITIONS: 3, KAFKA_PREFIX: prefix };
  const stream = connectKafka(stores, silentLog, 'test');
  await ensureTopics(stream);
  const producer = createProducer(stream);
  const letters: LetterDeps = {
    pool,
    log: silentLog,
    letters: createLetterReports({ dltEnabled: true }),
    retry: { maxAttempts: 5, initialMs: 20, multiplier: 2, maxMs: 200 },
  };
  let relay: RelayLoop | undefined;
  let consumers: RunningConsumer[] = [];
  const wake = (topic: WakeTopic) => (topic === 'outbox' ? relay?.wake() : wakeEffects());
  return {
    stream,
    producer,
    letters,
    wake,
    startRelay() {
      const common = { pool, log: silentLog, holder: 'chain', batchSize: 5000, pollMs: 50 };
      relay = createRelayLoop({ ...common, producer: around(producer) });
      relay.start();
    },
    async stopRelay() {
      await relay?.stop();
      relay = undefined;
    },
    async startConsumers() {
      const onFatal = (error: Error) => {
        throw error;
      };
      const deps = { ...letters, stream, wake, onFatal };
      consumers = await Promise.all(CONSUMERS.map((definition) => startConsumer(deps, definition)));
    },
    async stopConsumers() {
      await Promise.all(consumers.map((consumer) => consumer.stop()));
      consumers = [];
    },
  };
}
