/**
 * The connection to Kafka. kafkajs is used in this folder alone; the rest of the product sees topics, messages,
 * partitions and offsets.
 */
import { Kafka, type LogEntry, logLevel } from 'kafkajs';
import type { Config, Log } from '../platform/index.ts';
import { avoidNegativeTimer } from './avoid-negative-timer.ts';

export interface Stream {
  readonly kafka: Kafka;
  /** Partitions of every topic; `ensureTopics` refuses a topic with another count. */
  readonly partitions: number;
  /** Stands before every topic and group name at the broker; the rest of the product never sees it. */
  readonly prefix: string;
  readonly log: Log;
}

/** A request without an answer is given up after this; a consumer's session is shorter (see consumer.ts). */
export const REQUEST_MS = 15_000;

/** @param name shows up in the broker's logs as client id */
export function connectKafka(
  stores: Pick<Config['stores'], 'KAFKA_BROKERS' | 'KAFKA_PARTITIONS' | 'KAFKA_PREFIX'>,
  log: Log,
  name = 'holdfast',
): Stream {
  avoidNegativeTimer();
  const kafka = new Kafka({
    clientId: name,
    brokers: stores.KAFKA_BROKERS.split(',').map((broker) => broker.trim()),
    connectionTimeout: 3000,
    requestTimeout: REQUEST_MS,
    retry: { initialRetryTime: 100, maxRetryTime: 3000, retries: 8 },
    logLevel: logLevel.INFO,
    logCreator: () => (entry) => passOn(log, entry),
  });
  return { kafka, partitions: stores.KAFKA_PARTITIONS, prefix: stores.KAFKA_PREFIX, log };
}

/** Bounded retries are right here: a producer whose send failed is replaced, never used again (see producer.ts). */
const EXPECTED = [
  'Limiting retries for the idempotent producer may invalidate EoS guarantees',
  // A young broker has no coordinator for the first seconds; the client asks again by itself.
  'Response GroupCoordinator(key: 10, version: 2)',
];

function passOn(
  log: Log,
  { namespace, level, log: { message, timestamp: _timestamp, logger: _logger, ...fields } }: LogEntry,
): void {
  const text = `kafka ${namespace}: ${message}`;
  if (level >= logLevel.INFO || EXPECTED.includes(message)) log.debug(fields, text);
  // kafkajs calls each failed try an error; what ends a consumer or a send is reported by who notices it.
  else log.warn(fields, text);
}
