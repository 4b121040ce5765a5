/** Turns a claimed row into the message that travels, or says why it can never be sent (P32). Pure. */
import { isEventType, topicOf } from '../domain/index.ts';
import { type OutgoingMessage, partitionOf } from '../stream/index.ts';
import type { ClaimedEvent } from './claim-batch.ts';

/** Largest message, and largest batch of one partition in one request: the broker's own limit is 1 MB. */
export const MAX_BATCH_BYTES = 700_000;
const MAX_KEY_LENGTH = 128;
const MAX_TRACE_LENGTH = 64;

export type Encoded =
  | { readonly kind: 'message'; readonly message: OutgoingMessage }
  | { readonly kind: 'unsendable'; readonly reason: string };

export function encodeEvent(event: ClaimedEvent, partitions: number): Encoded {
  const { eventId, type, topic, key, traceId, occurredAt, payload } = event;
  const bad = (reason: string): Encoded => ({ kind: 'unsendable', reason });
  if (!isEventType(type)) return bad(`unknown event type ${type}`);
  if (topic !== topicOf(type)) return bad(`topic ${topic} does not carry ${type}`);
  if (key.length < 1 || key.length > MAX_KEY_LENGTH)
    return bad(`key of ${key.length} characters, 1 to ${MAX_KEY_LENGTH} are allowed`);
  if (traceId.length > MAX_TRACE_LENGTH)
    return bad(`trace id of ${traceId.length} characters, at most ${MAX_TRACE_LENGTH} are allowed`);
  if (!payload.startsWith('{')) return bad('payload is not an object');
  const value = Buffer.from(
    `{"id":"${eventId}","type":"${type}","version":1,"key":${JSON.stringify(key)},"occurredAt":"${occurredAt.toISOString()}",` +
      `"traceId":${JSON.stringify(traceId)},"payload":${payload}}`,
  );
  if (value.length > MAX_BATCH_BYTES) return bad(`${value.length} bytes, at most ${MAX_BATCH_BYTES} can be sent`);
  return {
    kind: 'message',
    message: { topic, partition: partitionOf(key, partitions), key, value, type },
  };
}
