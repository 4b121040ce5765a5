/**
 * Claims the next events by status in id order (P32): never "id greater than last seen", because a transaction
 * that took a lower id may commit later. A new claim id takes over what an earlier relay has claimed and not
 * marked.
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

// An array, not a join: joined, the plan could read the pending ones again for each of them.
const CLAIM = `
  UPDATE tinystore_order.outbox_event o SET claim = $1
  WHERE o.id = ANY (ARRAY(SELECT id FROM tinystore_order.outbox_event
                          WHERE status = 'PENDING' AND claim IS DISTINCT FROM $1 ORDER BY id LIMIT $2))
    AND o.status = 'PENDING'
  RETURNING o.id, o.event_id AS "eventId", o.type, o.topic, o.key, o.trace_id AS "traceId",
            o.occurred_at AS "occurredAt", o.payload::text AS payload,
            EXISTS (SELECT 1 FROM tinystore_order.outbox_event p
                    WHERE p.status = 'PARKED' AND p.key = o.key AND p.topic = o.topic AND p.id < o.id) AS "behindParked"`;

export async function claimBatch(pool: Pool, claim: string, limit: number): Promise<ClaimedEvent[]> {
  const { rows } = await pool.query<ClaimedEvent>({
    name: 'outbox.claim',
    text: CLAIM,
    values: [claim, limit],
  });
  return rows.sort((a, b) => a.id - b.id);
}
