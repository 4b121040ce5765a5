/**
 * Writes events in the transaction of their cause, after the row lock of their key (P32), parsed by the schema that
 * their readers use. Ids of the rows follow the order given. Only the events of a new order come another way: the
 * commit function writes them itself (decision 0003).
 */
import { EVENT_SCHEMAS, type EventPayload, type EventType, mint, topicOf } from '../domain/index.ts';
import type { Sql } from '../platform/index.ts';

/** Type and payload belong together: a payload of another type does not compile. */
export type NewEvent = {
  readonly [T in EventType]: {
    readonly type: T;
    readonly key: string;
    readonly traceId: string;
    readonly payload: EventPayload<T>;
  };
}[EventType];

const INSERT = `
  WITH said AS (
    INSERT INTO tinystore_order.outbox_event (event_id, type, topic, key, trace_id, payload)
    SELECT e.event_id, e.type, e.topic, e.key, e.trace_id, e.payload::jsonb
    FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
      WITH ORDINALITY AS e(event_id, type, topic, key, trace_id, payload, ord)
    ORDER BY e.ord
    RETURNING id
  )
  INSERT INTO tinystore_order.outbox_pending (id) SELECT id FROM said`;

/** @throws ZodError when a payload does not fit its type; nothing is written then */
export async function append(tx: Sql, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query(INSERT, [
    events.map(() => mint<'EventId'>()),
    events.map((e) => e.type),
    events.map((e) => topicOf(e.type)),
    events.map((e) => e.key),
    events.map((e) => e.traceId),
    events.map((e) => JSON.stringify(EVENT_SCHEMAS[e.type].parse(e.payload))),
  ]);
}
