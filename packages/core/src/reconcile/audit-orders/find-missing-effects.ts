/**
 * Events that were sent and have neither an effect nor a letter at a consumer that applies their type (P34). Page by
 * page in id order, so that a run goes on where the last one ended.
 */
import type { Pool } from '../../platform/index.ts';

export interface Applies {
  readonly consumer: string;
  readonly type: string;
}
export interface MissingEffect {
  readonly id: number;
  readonly consumer: string;
  readonly topic: string;
  readonly key: string;
  readonly partition: number;
  readonly offset: number;
}
export interface MissingPage {
  readonly missing: readonly MissingEffect[];
  readonly scanned: number;
  readonly lastId: number;
}

const PAGE_LAST = `
  SELECT coalesce(max(id), $1)::bigint AS "lastId", count(*)::integer AS scanned
  FROM (SELECT id FROM tinystore_order.outbox_sent WHERE id > $1 ORDER BY id LIMIT $2) page`;

const MISSING = `
  SELECT s.id, a.consumer, e.topic, e.key, s.partition, s."offset"
  FROM tinystore_order.outbox_sent s
  JOIN tinystore_order.outbox_event e ON e.id = s.id
  JOIN unnest($4::text[], $5::text[]) AS a(consumer, type) ON a.type = e.type
  WHERE s.id > $1 AND s.id <= $2 AND s.sent_at < $3
    AND NOT EXISTS (SELECT FROM tinystore_inventory.inbox_event i WHERE i.consumer = a.consumer AND i.event_id = e.event_id)
    AND NOT EXISTS (SELECT FROM tinystore_inventory.dead_letter d WHERE d.consumer = a.consumer AND d.event_id = e.event_id)
    AND NOT EXISTS (SELECT FROM tinystore_order.outbox_pending p WHERE p.id = s.id)
  ORDER BY s.id`;

export async function findMissingEffects(
  pool: Pool,
  applies: readonly Applies[],
  { after, rows, sentBefore }: { readonly after: number; readonly rows: number; readonly sentBefore: Date },
): Promise<MissingPage> {
  const page = (await pool.query<{ lastId: number; scanned: number }>(PAGE_LAST, [after, rows])).rows[0];
  if (!page || page.scanned === 0) return { missing: [], scanned: 0, lastId: after };
  const { rows: missing } = await pool.query<MissingEffect>(MISSING, [
    after,
    page.lastId,
    sentBefore,
    applies.map((a) => a.consumer),
    applies.map((a) => a.type),
  ]);
  return { missing, ...page };
}
