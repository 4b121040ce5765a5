/**
 * Deletes SENT events older than the retention, page by page from the oldest id on. Pending and parked events are
 * never touched, whatever their age.
 */
import type { Pool } from '../platform/index.ts';

const PAGE_ROWS = 5000;
const MAX_PAGES = 2000;

const PRUNE = `
  WITH page AS MATERIALIZED (
    SELECT id, occurred_at FROM tinystore_order.outbox_event WHERE id > $1 ORDER BY id LIMIT $2
  ), gone AS (
    DELETE FROM tinystore_order.outbox_event o USING page p
    WHERE o.id = p.id AND o.status = 'SENT' AND o.sent_at < ops.clock_now() - make_interval(days => $3)
    RETURNING 1
  )
  SELECT coalesce(max(p.id), $1) AS "lastId", count(*)::integer AS seen, (SELECT count(*) FROM gone)::integer AS gone,
         coalesce(bool_or(p.occurred_at < ops.clock_now() - make_interval(days => $3)), false) AS "stillOld"
  FROM page p`;

/** Returns how many rows were deleted. */
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
