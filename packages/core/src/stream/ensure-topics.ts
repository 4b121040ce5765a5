/**
 * Creates the topics with the configured partition count and 7 days retention. A key's partition depends on the
 * count, so a changed one would break the order of each key: it is refused at start.
 */
import { DEAD_LETTER_SUFFIX, INVENTORY_TOPIC, ORDER_TOPIC } from '../domain/index.ts';
import type { Stream } from './connect-kafka.ts';

const RETENTION_DAYS = 7;
const REPLICAS = 3;
export const TOPICS: readonly string[] = [ORDER_TOPIC, INVENTORY_TOPIC].flatMap((topic) => [
  topic,
  `${topic}${DEAD_LETTER_SUFFIX}`,
]);

export class TopicMismatch extends Error {
  override readonly name = 'TopicMismatch';
}

/** @throws TopicMismatch naming both counts when a topic exists with another number of partitions */
export async function ensureTopics(stream: Stream, names: readonly string[] = TOPICS): Promise<void> {
  const { kafka, partitions, prefix } = stream;
  const topics = names.map((name) => `${prefix}${name}`);
  const admin = kafka.admin();
  await admin.connect();
  try {
    const existing = new Set(await admin.listTopics());
    const missing = topics.filter((topic) => !existing.has(topic));
    if (missing.length > 0) {
      const { brokers } = await admin.describeCluster();
      const replicationFactor = Math.min(REPLICAS, brokers.length);
      const configEntries = [
        { name: 'retention.ms', value: String(RETENTION_DAYS * 86_400_000) },
        { name: 'min.insync.replicas', value: replicationFactor === REPLICAS ? '2' : '1' },
      ];
      // Another worker may create them at the same moment: kafkajs then answers false.
      await admin.createTopics({
        waitForLeaders: true,
        topics: missing.map((topic) => ({
          topic,
          numPartitions: partitions,
          replicationFactor,
          configEntries,
        })),
      });
    }
    const found = await admin.fetchTopicMetadata({ topics });
    for (const { name, partitions: present } of found.topics)
      if (present.length !== partitions)
        throw new TopicMismatch(
          `topic ${name} has ${present.length} partitions, KAFKA_PARTITIONS is ${partitions}; set it to ${present.length}, or move to new topics`,
        );
  } finally {
    await admin.disconnect();
  }
}

/** For readiness: answers when the cluster does. The admin connection is opened on first use and kept. */
export function createKafkaProbe({ kafka }: Stream): { check(): Promise<void>; close(): Promise<void> } {
  const admin = kafka.admin({ retry: { retries: 0 } });
  let connected: Promise<void> | undefined;
  return {
    async check() {
      connected ??= admin.connect();
      try {
        await connected;
        await admin.describeCluster();
      } catch (error) {
        connected = undefined;
        throw error;
      }
    },
    close: () => admin.disconnect(),
  };
}
