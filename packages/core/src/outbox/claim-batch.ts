/**
 * Reads the next events to send by status in id order (P32): never "id greater than last seen", because a transaction
 * that took a lower id may commit later. Only the holder of the lease gets any. What it has claimed already it names
 * itself; a successor names nothing and so starts with all unsent events (decision 0006).
 */
import type { Pool } from '../platform/index.ts';

export interface ClaimedEvent {
  readonly id: number;
  readonly eventId: string;
  readonly type: string;
  readonly topic: string;
  readonly key: string;
  readonly traceId: string;
  readonly occurredAt: Date;
  /** JSON as PostgreSQL prints it; spliced into the envelope without parsing it again. */
  readonly payload: string;
  /** An earlier event of this key is parked, so this one waits behind it. */
  readonly behindParked: boolean;
}

export const RELAY_LEASE = 'outbox.relay';
/** Is $1 the present holder? Of a statement that a displaced relay must not carry out. */
export const IS_HOLDER = `EXISTS (SELECT FROM tinystore_inventory.lease l WHERE l.name = '${RELAY_LEASE}' AND l.holder = $1)`;

// LATERAL with LIMIT, not a join: each event is looked up by its key, however the tables have grown since the last ANALYZE.
const CLAIM = `
  SELECT e.*, EXISTS (SELECT FROM tinystore_order.outbox_pending q
                      WHERE q.status = 'PARKED' AND q.key = e.key AND q.topic = e.topic AND q.id < e.id) AS "behindParked"
  FROM (SELECT p.id FROM tinystore_order.outbox_pending p
        WHERE p.status = 'PENDING' AND p.id <> ALL ($3::bigint[]) AND ${IS_HOLDER}
        ORDER BY p.id LIMIT $2) AS next
  CROSS JOIN LATERAL (
    SELECT o.id, o.event_id AS "eventId", o.type, o.topic, o.key, o.trace_id AS "traceId", o.occurred_at AS "occurredAt",
           o.payload::text AS payload
    FROM tinystore_order.outbox_event o WHERE o.id = next.id LIMIT 1) AS e
  ORDER BY e.id`;

/** At most `limit` events that are not among `claimed`. */
export async function claimBatch(
  pool: Pool,
  holder: string,
  claimed: Iterable<number>,
  limit: number,
): Promise<ClaimedEvent[]> {
  const { rows } = await pool.query<ClaimedEvent>({
    name: 'outbox.claim',
    text: CLAIM,
    values: [holder, limit, [...claimed]],
  });
  return rows;
}
