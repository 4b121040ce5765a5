/** How far each consumer has come, and what the topics still hold (P34). */
import { askAgain } from './ask-again.ts';
import type { Stream } from './connect-kafka.ts';

export interface Reader {
  readonly name: string;
  readonly group?: string;
  readonly topic: string;
}
export interface Positions {
  /** The reader will not see this message again: it has passed it, or the partition does not hold it (any more). */
  hasPassed(reader: string, partition: number, offset: number): boolean;
}

export async function readPositions(stream: Stream, readers: readonly Reader[]): Promise<Positions> {
  const admin = stream.kafka.admin();
  await admin.connect();
  try {
    const held = new Map<string, { low: number; high: number }>();
    for (const topic of new Set(readers.map((reader) => reader.topic)))
      for (const { partition, low, high } of await admin.fetchTopicOffsets(`${stream.prefix}${topic}`))
        held.set(`${topic}/${partition}`, { low: Number(low), high: Number(high) });
    const passed = new Map<string, number>();
    for (const { name, group = name, topic } of readers) {
      const groupId = `${stream.prefix}${group}`;
      const topics = [`${stream.prefix}${topic}`];
      for (const { partitions } of await askAgain(() => admin.fetchOffsets({ groupId, topics })))
        for (const { partition, offset } of partitions) passed.set(`${name}/${partition}`, Number(offset));
    }
    const topicOf = new Map(readers.map((reader) => [reader.name, reader.topic]));
    return {
      hasPassed(reader, partition, offset) {
        const slot = held.get(`${topicOf.get(reader)}/${partition}`);
        // A topic that was made anew ends below what it held before.
        if (!slot || offset < slot.low || offset >= slot.high) return true;
        return offset < (passed.get(`${reader}/${partition}`) ?? -1);
      },
    };
  } finally {
    await admin.disconnect();
  }
}
