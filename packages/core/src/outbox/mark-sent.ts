/**
 * Moves claimed events on: SENT with partition and offset, or PARKED with the reason. Both only WHERE the row is
 * still PENDING and the claim is mine (P32), so that a relay that was paused marks nothing of its successor.
 */
import type { Pool, Sql } from '../platform/index.ts';

export interface SentEvent {
  readonly id: number;
  readonly partition: number;
  readonly offset: number;
}

// || '' keeps the plan on the primary key: read by the index of pending events, it was quadratic in the batch.
const MARK = `
  UPDATE tinystore_order.outbox_event o
  SET status = 'SENT', partition = m.partition, "offset" = m.off, sent_at = ops.clock_now()
  FROM unnest($2::bigint[], $3::integer[], $4::bigint[]) AS m(id, partition, off)
  WHERE o.id = m.id AND o.claim = $1 AND o.status || '' = 'PENDING'`;

/** Returns how many rows were marked; fewer than given when another relay has taken some over. */
export async function markSent(pool: Pool, claim: string, sent: readonly SentEvent[]): Promise<number> {
  if (sent.length === 0) return 0;
  const { rowCount } = await pool.query({
    name: 'outbox.mark',
    text: MARK,
    values: [claim, sent.map((s) => s.id), sent.map((s) => s.partition), sent.map((s) => s.offset)],
  });
  return rowCount ?? 0;
}

/** The event and every later one of its key leave the claim index together; they come back by hand in id order. */
const PARK = `
  UPDATE tinystore_order.outbox_event o
  SET status = 'PARKED', claim = NULL, parked_reason = CASE WHEN o.id = $2::bigint THEN $5 ELSE 'behind event ' || $2::bigint END
  WHERE o.status = 'PENDING' AND o.topic = $3 AND o.key = $4 AND o.id >= $2::bigint
    AND EXISTS (SELECT 1 FROM tinystore_order.outbox_event first
                WHERE first.id = $2::bigint AND (first.status = 'PARKED' OR first.claim = $1))`;

export async function parkFrom(
  sql: Sql,
  claim: string,
  event: { id: number; topic: string; key: string },
  reason: string,
): Promise<number> {
  const { rowCount } = await sql.query(PARK, [claim, event.id, event.topic, event.key, reason]);
  return rowCount ?? 0;
}
