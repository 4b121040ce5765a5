/** The stream of a history: what was sent stands in partitions; who reads it, how often and how late, the history decides. */
import type { EventType } from '../../domain/index.ts';
import type { ConsumerDefinition, OutgoingMessage, Producer } from '../../stream/index.ts';
import type { Origin } from '../../stream/read-message.ts';
import type { Io } from '../io/index.ts';

export const PARTITIONS = 2;

export interface Broker {
  producer(io: Io): Producer;
  /** The next messages of a reader, at most `most`; reading moves nothing. */
  next(
    reader: ConsumerDefinition,
    partition: number,
    most: number,
  ): { readonly from: number; readonly messages: Origin[] };
  /** The reader's offset: never moved back by a commit. */
  commit(reader: ConsumerDefinition, partition: number, offset: number): void;
  /** The group reads from further back, as after a commit that was lost. */
  rewind(reader: ConsumerDefinition, partition: number, by: number): boolean;
  behind(reader: ConsumerDefinition, partition: number): number;
}

export function createBroker(): Broker {
  const logs = new Map<string, OutgoingMessage[]>();
  const offsets = new Map<string, number>();
  const logOf = (topic: string, partition: number) => {
    const name = `${topic}/${partition}`;
    const log = logs.get(name) ?? [];
    logs.set(name, log);
    return log;
  };
  const place = (reader: ConsumerDefinition, partition: number) => `${reader.name}/${partition}`;
  const at = (reader: ConsumerDefinition, partition: number) => offsets.get(place(reader, partition)) ?? 0;
  return {
    producer: (io) => ({
      partitions: PARTITIONS,
      send: (messages) =>
        io({ server: 'kafka', what: 'send' }, async () =>
          messages.map((message) => ({
            partition: message.partition,
            offset: logOf(message.topic, message.partition).push(message) - 1,
          })),
        ),
      close: async () => undefined,
    }),
    next(reader, partition, most) {
      const from = at(reader, partition);
      const messages = logOf(reader.topic, partition).slice(from, from + most);
      return { from, messages: messages.map((message, index) => originOf(message, from + index)) };
    },
    commit(reader, partition, offset) {
      offsets.set(place(reader, partition), Math.max(at(reader, partition), offset));
    },
    rewind(reader, partition, by) {
      const before = at(reader, partition);
      offsets.set(place(reader, partition), Math.max(0, before - by));
      return before > 0;
    },
    behind: (reader, partition) => logOf(reader.topic, partition).length - at(reader, partition),
  };
}

function originOf({ topic, partition, key, value, type }: OutgoingMessage, offset: number): Origin {
  return {
    topic,
    partition,
    offset: String(offset),
    message: {
      key: Buffer.from(key),
      value,
      headers: { type: Buffer.from(type) },
      timestamp: '0',
      attributes: 0,
      offset: String(offset),
    },
  };
}

export const concernsReader = (reader: ConsumerDefinition, { message }: Origin): boolean =>
  reader.types.includes(String(message.headers?.type) as EventType);
