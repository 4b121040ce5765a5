/**
 * Deletes events that were sent longer ago than the retention, page by page from the oldest id on. Pending and parked
 * events are never touched, whatever their age.
 */
import type { Pool } from '../platform/index.ts';

const PAGE_ROWS = 5000;
const MAX_PAGES = 2000;

const PRUNE = `
  WITH page AS MATERIALIZED (
    SELECT id, occurred_at FROM tinystore_order.outbox_event WHERE id > $1 ORDER BY id LIMIT $2
  ), gone AS (
    DELETE FROM tinystore_order.outbox_sent s USING page p
    WHERE s.id = p.id AND s.sent_at < ops.clock_now() - make_interval(days => $3)
      AND NOT EXISTS (SELECT FROM tinystore_order.outbox_pending o WHERE o.id = s.id)
    RETURNING s.id
  ), said AS (
    DELETE FROM tinystore_order.outbox_event e USING gone g WHERE e.id = g.id RETURNING 1
  )
  SELECT coalesce(max(p.id), $1) AS "lastId", count(*)::integer AS seen, (SELECT count(*) FROM said)::integer AS gone,
         coalesce(bool_or(p.occurred_at < ops.clock_now() - make_interval(days => $3)), false) AS "stillOld"
  FROM page p`;

/** Returns how many events were deleted. */
export async function pruneOutbox(pool: Pool, { retentionDays }: { retentionDays: number }): Promise<number> {
  let total = 0;
  let after = 0;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { rows } = await pool.query<{ lastId: number; seen: number; gone: number; stillOld: boolean }>(PRUNE, [
      after,
      PAGE_ROWS,
      retentionDays,
    ]);
    const [row] = rows;
    if (!row) break;
    total += row.gone;
    after = row.lastId;
    if (row.seen < PAGE_ROWS || !row.stillOld) break;
  }
  return total;
}
