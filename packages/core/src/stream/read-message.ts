/**
 * Reads one Kafka message. The type header lets a consumer pass over foreign events without parsing them. What
 * cannot be read gets an id of its own, made of where it stands and what it holds, so that it counts once.
 */
import { createHash } from 'node:crypto';
import type { KafkaMessage } from 'kafkajs';
import { v5 as uuidv5 } from 'uuid';
import { EVENT_SCHEMAS, envelopeSchema, type IncomingEvent, isEventType } from '../domain/index.ts';
import { TYPE_HEADER } from './producer.ts';

/** Where a message came from and what it held, as a dead letter keeps it. */
export interface Origin {
  /** As the consumer's definition names it, without the prefix of this installation. */
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly message: KafkaMessage;
}
export interface ReadEvent {
  readonly kind: 'event';
  readonly event: IncomingEvent;
  readonly origin: Origin;
}
export interface UnreadableMessage {
  readonly kind: 'unreadable';
  readonly eventId: string;
  readonly type: string;
  readonly reason: string;
  readonly origin: Origin;
}

const NAMESPACE = '6f1c9d0e-52f7-5c39-9d0a-5d7f2b8f3a11';

export function typeOf(message: KafkaMessage): string | undefined {
  const header = message.headers?.[TYPE_HEADER];
  return header === undefined ? undefined : header.toString();
}

export function readMessage(origin: Origin): ReadEvent | UnreadableMessage {
  const { message } = origin;
  try {
    const { payload, id, type, key, traceId, occurredAt } = envelopeSchema.parse(
      JSON.parse(message.value?.toString() ?? ''),
    );
    if (!isEventType(type)) throw new Error(`unknown event type ${type}`);
    if (typeOf(message) !== type)
      throw new Error(`the type header says ${typeOf(message) ?? 'nothing'}, the body ${type}`);
    return {
      kind: 'event',
      origin,
      event: {
        id,
        type,
        key,
        traceId,
        occurredAt,
        payload: EVENT_SCHEMAS[type].parse(payload),
      } as IncomingEvent,
    };
  } catch (error) {
    const body = createHash('sha256')
      .update(message.value ?? '')
      .digest('hex');
    return {
      kind: 'unreadable',
      origin,
      type: typeOf(message) ?? 'UNKNOWN',
      reason: error instanceof Error ? error.message : String(error),
      eventId: uuidv5(`${origin.topic}/${origin.partition}/${origin.offset}/${body}`, NAMESPACE),
    };
  }
}
