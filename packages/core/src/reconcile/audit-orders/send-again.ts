/**
 * Sends events again under the ids they have (P34): the row and all later ones of its key become PENDING, so that a
 * consumer sees the key in its order again. What was applied before is known by its inbox mark.
 */
import type { Sql } from '../../platform/index.ts';

export interface FromEvent {
  readonly id: number;
  readonly topic: string;
  readonly key: string;
}

const AGAIN = `
  INSERT INTO tinystore_order.outbox_pending (id)
  SELECT e.id FROM tinystore_order.outbox_event e
  JOIN (SELECT f.topic, f.key, min(f.id) AS id FROM unnest($1::bigint[], $2::text[], $3::text[]) AS f(id, topic, key)
        GROUP BY 1, 2) f ON f.topic = e.topic AND f.key = e.key
  WHERE e.id >= f.id AND e.id >= $4
  ORDER BY e.id
  ON CONFLICT (id) DO NOTHING`;

/** Returns how many events go out again; those that still wait to be sent are not counted. */
export async function sendAgainFrom(sql: Sql, from: readonly FromEvent[]): Promise<number> {
  if (from.length === 0) return 0;
  const { rowCount } = await sql.query(AGAIN, [
    from.map((f) => f.id),
    from.map((f) => f.topic),
    from.map((f) => f.key),
    Math.min(...from.map((f) => f.id)),
  ]);
  return rowCount ?? 0;
}
