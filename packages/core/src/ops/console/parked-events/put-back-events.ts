/**
 * Events that could not be sent (P32): they are PARKED with the later ones of their key, outside the relay's index, and
 * come back by hand, all of a key together, so that it is sent in id order.
 */
import { type Failure, refuse } from '../../../domain/index.ts';
import { lockParkingOf } from '../../../outbox/index.ts';
import { inTransaction, type Pool, type Sql } from '../../../platform/index.ts';
import { appendAudit, closeIncident } from '../../index.ts';
import type { ByPerson } from '../dead-letters/redrive-letters.ts';

export interface ParkedKey {
  readonly topic: string;
  readonly key: string;
  /** The one that cannot be sent; the others wait behind it. */
  readonly eventId: string;
  readonly type: string;
  readonly reason: string;
  readonly events: number;
  readonly since: Date;
}

const MOST_KEYS = 200;

/** By key, the oldest first. */
export async function listParkedEvents(sql: Sql): Promise<ParkedKey[]> {
  const { rows } = await sql.query<ParkedKey>(
    `SELECT p.topic, p.key, (array_agg(e.event_id ORDER BY p.id))[1] AS "eventId", (array_agg(e.type ORDER BY p.id))[1] AS type,
            (array_agg(p.reason ORDER BY p.id))[1] AS reason, count(*)::integer AS events, min(e.occurred_at) AS since
     FROM tinystore_order.outbox_pending p JOIN tinystore_order.outbox_event e USING (id)
     WHERE p.status = 'PARKED' GROUP BY p.topic, p.key ORDER BY min(p.id) LIMIT ${MOST_KEYS}`,
  );
  return rows;
}

export type PutBack = { readonly kind: 'put-back'; readonly events: number } | Failure;

/** All parked events of the key become PENDING in one statement; the relay sends them in id order, or parks them anew. */
export async function putBackEvents(
  pool: Pool,
  { topic, key, actor, reason }: ByPerson & { readonly topic: string; readonly key: string },
): Promise<PutBack> {
  return inTransaction(pool, async (tx) => {
    await lockParkingOf(tx, topic, key);
    const { rows } = await tx.query<{ id: number; eventId: string; parkedReason: string }>(
      `WITH parked AS (
         SELECT id, reason FROM tinystore_order.outbox_pending
         WHERE status = 'PARKED' AND topic = $1 AND key = $2 ORDER BY id FOR UPDATE
       ), back AS (
         UPDATE tinystore_order.outbox_pending o SET status = 'PENDING', topic = NULL, key = NULL, reason = NULL
         FROM parked p WHERE o.id = p.id RETURNING o.id
       )
       SELECT e.id, e.event_id AS "eventId", p.reason AS "parkedReason"
       FROM back b JOIN parked p USING (id) JOIN tinystore_order.outbox_event e USING (id) ORDER BY e.id`,
      [topic, key],
    );
    if (rows.length === 0) return refuse('WRONG_STATE', 'No event of this key is parked any more.');
    for (const { eventId } of rows) await closeIncident(tx, { kind: 'OUTBOX_PARKED', subject: eventId, by: actor });
    await appendAudit(tx, {
      actor,
      action: 'outbox.put-back',
      target: `${topic} ${key}`,
      reason,
      before: { status: 'PARKED', events: rows.map((row) => ({ id: row.id, reason: row.parkedReason })) },
      after: { status: 'PENDING' },
    });
    return { kind: 'put-back', events: rows.length };
  });
}
