/**
 * Moves claimed events on: SENT with partition and offset, or PARKED with the reason. Both only while the row is still
 * PENDING and the lease is mine (P32), so that a relay that was paused marks nothing of its successor.
 */
import type { Pool, Sql } from '../platform/index.ts';
import { type ClaimedEvent, IS_HOLDER } from './claim-batch.ts';

export interface SentEvent {
  readonly id: number;
  readonly partition: number;
  readonly offset: number;
}

// An event that was put back to PENDING has landed before (P34): its newest place counts.
const MARK = `
  WITH done AS (
    DELETE FROM tinystore_order.outbox_pending p
    USING unnest($2::bigint[], $3::integer[], $4::bigint[]) AS m(id, partition, off)
    WHERE p.id = m.id AND p.status = 'PENDING' AND ${IS_HOLDER}
    RETURNING m.*
  )
  INSERT INTO tinystore_order.outbox_sent (id, partition, "offset") SELECT id, partition, off FROM done
  ON CONFLICT (id) DO UPDATE SET partition = excluded.partition, "offset" = excluded."offset", sent_at = excluded.sent_at`;

/** Returns how many events were marked; fewer than given when another relay has taken over. */
export async function markSent(pool: Pool, holder: string, sent: readonly SentEvent[]): Promise<number> {
  if (sent.length === 0) return 0;
  const { rowCount } = await pool.query({
    name: 'outbox.mark',
    text: MARK,
    values: [holder, sent.map((s) => s.id), sent.map((s) => s.partition), sent.map((s) => s.offset)],
  });
  return rowCount ?? 0;
}

/**
 * Parking and putting back of one key exclude each other: without it, an event parked behind another one could miss that
 * one's return and wait for a second hand. In a transaction, before anything is read.
 */
export async function lockParkingOf(tx: Sql, topic: string, key: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(3, hashtext($1))', [`${topic} ${key}`]);
}

/**
 * The event and every later one of its key leave the claim together; they come back by hand in id order. One that was
 * claimed behind a parked event stays PENDING when that one has been put back meanwhile.
 */
const PARK = `
  UPDATE tinystore_order.outbox_pending p
  SET status = 'PARKED', topic = $3, key = $4, reason = CASE WHEN p.id = $2::bigint THEN $5 ELSE 'behind event ' || $2::bigint END
  FROM tinystore_order.outbox_event e
  WHERE e.id = p.id AND p.status = 'PENDING' AND e.topic = $3 AND e.key = $4 AND p.id >= $2::bigint AND ${IS_HOLDER}
    AND (NOT $6 OR EXISTS (SELECT FROM tinystore_order.outbox_pending q
                           WHERE q.status = 'PARKED' AND q.topic = $3 AND q.key = $4 AND q.id < $2::bigint))`;

/** Returns how many events were parked. */
export async function parkFrom(
  tx: Sql,
  holder: string,
  { id, topic, key, behindParked }: Pick<ClaimedEvent, 'id' | 'topic' | 'key' | 'behindParked'>,
  reason: string,
): Promise<number> {
  await lockParkingOf(tx, topic, key);
  const { rowCount } = await tx.query(PARK, [holder, id, topic, key, reason, behindParked]);
  return rowCount ?? 0;
}
