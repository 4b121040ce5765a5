/**
 * Sends messages, acknowledged by all replicas, and says where each one landed.
 *
 * A producer whose send failed is thrown away. kafkajs takes its sequence numbers back after a failure, although
 * the broker may have stored the batch; another batch of the same length would then carry the same numbers, and
 * the broker would answer "duplicate" and drop it (P32). A new producer has a new producer id.
 *
 * A topic that is gone is made again: its messages are still in the outbox, and those of other topics wait for no one.
 */
import type { Producer as KafkaProducer, Message, RecordMetadata } from 'kafkajs';
import type { Stream } from './connect-kafka.ts';
import { ensureTopics } from './ensure-topics.ts';

/** The only header: kafkajs needs as much time for each further one as for the rest of a message. */
export const TYPE_HEADER = 'type';

export interface OutgoingMessage {
  readonly topic: string;
  readonly partition: number;
  readonly key: string;
  readonly value: Buffer;
  readonly type: string;
}
export interface Placed {
  readonly partition: number;
  readonly offset: number;
}
export interface Producer {
  readonly partitions: number;
  /**
   * One request per broker; messages of one partition keep their order and follow one another without a gap.
   * Only one send at a time. @throws MessageRefused when the broker will never take one of these messages
   */
  send(messages: readonly OutgoingMessage[]): Promise<Placed[]>;
  close(): Promise<void>;
}

/** The broker refuses what a message is, not that it came now. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused';
}
const MISSING_TOPIC = 'UNKNOWN_TOPIC_OR_PARTITION';
const REFUSALS = new Set([
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'INVALID_RECORD',
  'CORRUPT_MESSAGE',
  'INVALID_TIMESTAMP',
]);

export function createProducer(stream: Stream): Producer {
  let current: Promise<KafkaProducer> | undefined;
  const discard = async () => {
    const broken = await current?.catch(() => undefined);
    current = undefined;
    await broken?.disconnect();
  };
  return {
    partitions: stream.partitions,
    async send(messages) {
      try {
        current ??= open(stream);
        const producer = await current;
        const topicMessages = byTopic(messages, stream.prefix);
        return place(messages, await producer.sendBatch({ acks: -1, timeout: 10_000, topicMessages }), stream.prefix);
      } catch (error) {
        await discard().catch((failure: unknown) =>
          stream.log.debug({ failure }, 'broken Kafka producer did not close cleanly'),
        );
        if (typesIn(error).includes(MISSING_TOPIC)) await makeTopics(stream, messages);
        throw refusalIn(error) ?? error;
      }
    },
    close: discard,
  };
}

async function open({ kafka }: Stream): Promise<KafkaProducer> {
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    retry: { initialRetryTime: 100, maxRetryTime: 1000, retries: 4 },
    createPartitioner:
      () =>
      ({ message }) => {
        if (message.partition === undefined) throw new Error('a message must name its partition');
        return message.partition;
      },
  });
  await producer.connect();
  return producer;
}

function byTopic(messages: readonly OutgoingMessage[], prefix: string): { topic: string; messages: Message[] }[] {
  const topics = new Map<string, Message[]>();
  for (const { topic, partition, key, value, type } of messages) {
    const list = topics.get(topic) ?? [];
    if (list.length === 0) topics.set(topic, list);
    list.push({ partition, key, value, headers: { [TYPE_HEADER]: type } });
  }
  return [...topics].map(([topic, list]) => ({ topic: `${prefix}${topic}`, messages: list }));
}

function place(messages: readonly OutgoingMessage[], records: readonly RecordMetadata[], prefix: string): Placed[] {
  const next = new Map(records.map((record) => [`${record.topicName}/${record.partition}`, Number(record.baseOffset)]));
  return messages.map(({ topic, partition }) => {
    const slot = `${prefix}${topic}/${partition}`;
    const offset = next.get(slot);
    if (offset === undefined || Number.isNaN(offset)) throw new Error(`the broker acknowledged nothing for ${slot}`);
    next.set(slot, offset + 1);
    return { partition, offset };
  });
}

/** The send that found one missing has failed all the same; the next one meets it. */
async function makeTopics(stream: Stream, messages: readonly OutgoingMessage[]): Promise<void> {
  const topics = [...new Set(messages.map((message) => message.topic))];
  await ensureTopics(stream, topics).then(
    () => stream.log.warn({ topics }, 'a topic was missing and was made again'),
    (error: unknown) => stream.log.warn({ error, topics }, 'a topic is missing and could not be made'),
  );
}

function refusalIn(error: unknown): MessageRefused | undefined {
  const type = typesIn(error).find((found) => REFUSALS.has(found));
  return type === undefined ? undefined : new MessageRefused(type, { cause: error });
}

/** What the broker called it, also inside the errors of the client. */
function typesIn(error: unknown): string[] {
  const types: string[] = [];
  for (
    let cause = error;
    typeof cause === 'object' && cause !== null;
    cause = 'cause' in cause ? cause.cause : undefined
  )
    if ('type' in cause && typeof cause.type === 'string') types.push(cause.type);
  return types;
}
