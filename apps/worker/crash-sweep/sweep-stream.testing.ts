/**
 * The stream of a sweep: the relay sends to a real broker, and every message that the broker has taken is handed to the
 * consumers from where each of them had committed. A consumer that died before its offset was committed gets it again.
 */
import { mint } from '@holdfast/core/domain';
import { createLetterReports } from '@holdfast/core/ops';
import { relayOnce } from '@holdfast/core/outbox';
import { type Pool, silentLog } from '@holdfast/core/platform';
import {
  type ConsumerDefinition,
  connectKafka,
  createProducer,
  ensureTopics,
  handleSlice,
  type LetterDeps,
  type Origin,
  type Producer,
  retryLetters,
} from '@holdfast/core/stream';
import { type Io, watchProducer } from '@holdfast/core/testing';
import { CONSUMERS } from '../consumers/register.ts';

export type SweepStream = Awaited<ReturnType<typeof openSweepStream>>;

const RETRY = { maxAttempts: 5, initialMs: 20, multiplier: 2, maxMs: 200 };

export async function openSweepStream(brokers: string | undefined) {
  const stores = { KAFKA_BROKERS: brokers ?? '', KAFKA_PARTITIONS: 1, KAFKA_PREFIX: `sweep-${mint<'prefix'>()}.` };
  const stream = connectKafka(stores, silentLog, 'sweep');
  const letters: Omit<LetterDeps, 'pool'> = {
    log: silentLog,
    letters: createLetterReports({ dltEnabled: true }),
    retry: RETRY,
  };
  const taken: Origin[] = [];
  const committed = new Map<string, number>();
  let real: Producer | undefined;

  async function producer(): Promise<Producer> {
    if (real) return real;
    await ensureTopics(stream);
    const created = createProducer(stream);
    real = {
      ...created,
      async send(messages) {
        const placed = await created.send(messages);
        for (const [index, message] of messages.entries()) taken.push(asRead(message, placed[index]?.offset ?? 0));
        return placed;
      },
    };
    return real;
  }
  const relay = async (pool: Pool, io?: Io) => {
    const sender = await producer();
    return relayOnce({
      ...{ pool, log: silentLog, holder: 'sweep', batchSize: 5000, leaseMs: 5000 },
      producer: io ? watchProducer(sender, io) : sender,
    });
  };
  /** Messages of its topic that a consumer has not committed. */
  async function consume(pool: Pool, definition: ConsumerDefinition): Promise<number> {
    const from = committed.get(definition.name) ?? 0;
    const wanted = taken
      .slice(from)
      .filter(({ topic, message }) => topic === definition.topic && concerns(definition, message));
    const upTo = taken.length;
    const deps = { ...letters, pool, stream, wake: () => undefined, onFatal };
    const handled = wanted.length > 0 ? await handleSlice(deps, definition, wanted) : 0;
    committed.set(definition.name, upTo);
    return handled;
  }
  return {
    stream,
    letters,
    relay,
    consume,
    retry: (pool: Pool) => retryLetters({ ...letters, pool }, CONSUMERS).then((done) => done.resolved + done.failed),
    /** Everything under way: sent, then handled by every consumer. */
    async deliver(pool: Pool): Promise<number> {
      let moved = await relay(pool);
      for (const definition of CONSUMERS) moved += await consume(pool, definition);
      return moved;
    },
    close: async () => real?.close(),
  };
}

const onFatal = (error: Error): never => {
  throw error;
};

const concerns = (definition: ConsumerDefinition, { headers }: Origin['message']) =>
  definition.types.some((type) => type === String(headers?.type));

function asRead(message: Parameters<Producer['send']>[0][number], offset: number): Origin {
  const { topic, partition, key, value, type } = message;
  return {
    ...{ topic, partition, offset: String(offset) },
    message: {
      ...{ key: Buffer.from(key), value, headers: { type }, offset: String(offset) },
      ...{ timestamp: '0', attributes: 0 },
    },
  };
}
