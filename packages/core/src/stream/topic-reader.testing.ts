/** What a test needs of Kafka beside the product's own port: topics of its own, and reading what really stands in one. */
import { randomUUID } from 'node:crypto';
import { silentLog } from '../platform/index.ts';
import { testConfig } from '../testing/test-config.ts';
import { until } from '../testing/until.ts';
import { connectKafka, type Stream } from './connect-kafka.ts';
import { ensureTopics } from './ensure-topics.ts';

export interface FoundMessage {
  readonly id: string;
  readonly key: string;
  readonly partition: number;
  readonly offset: number;
  readonly value: string;
}

export function connectTestKafka(brokers: string | undefined, partitions = 6): Stream {
  return connectKafka(
    testConfig({ KAFKA_BROKERS: brokers ?? '', KAFKA_PARTITIONS: String(partitions) }).stores,
    silentLog,
    'test',
  );
}

export async function createTestTopic(stream: Stream): Promise<string> {
  const topic = `test.${randomUUID()}`;
  await ensureTopics(stream, [topic]);
  return topic;
}

/** Remembers where the topics end now; `read` gives what came since, in the order of each partition. */
export async function watchTopics(
  stream: Stream,
  topics: readonly string[],
): Promise<{ read(): Promise<FoundMessage[]> }> {
  const before = await ends(stream, topics);
  return {
    async read() {
      const after = await ends(stream, topics);
      const found: FoundMessage[] = [];
      const missing = new Set([...after].filter(([slot, end]) => end > (before.get(slot) ?? 0)).map(([slot]) => slot));
      const consumer = stream.kafka.consumer({ groupId: `reader.${randomUUID()}`, maxWaitTimeInMs: 50 });
      await consumer.connect();
      await consumer.subscribe({ topics: [...topics], fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachMessage: async ({ topic, partition, message }) => {
          const slot = `${topic}/${partition}`;
          const offset = Number(message.offset);
          if (offset >= (before.get(slot) ?? 0))
            found.push({
              id: idIn(message.value),
              key: message.key?.toString() ?? '',
              partition,
              offset,
              value: message.value?.toString() ?? '',
            });
          if (offset + 1 >= (after.get(slot) ?? 0)) missing.delete(slot);
        },
      });
      await until('topics read to their end', () => missing.size === 0, 60_000);
      await consumer.disconnect();
      return found;
    },
  };
}

function idIn(value: Buffer | null): string {
  const id = /"id":"([^"]*)"/.exec(value?.toString() ?? '')?.[1];
  return id ?? '';
}

async function ends(stream: Stream, topics: readonly string[]): Promise<Map<string, number>> {
  const admin = stream.kafka.admin();
  await admin.connect();
  const found = new Map<string, number>();
  for (const topic of topics)
    for (const { partition, high } of await admin.fetchTopicOffsets(topic))
      found.set(`${topic}/${partition}`, Number(high));
  await admin.disconnect();
  return found;
}
