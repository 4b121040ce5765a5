/** Sessions of this database that wait for a lock: the moment at which a test knows that somebody stands behind it. */
import type { Sql } from '../platform/index.ts';

export async function countWaiting(sql: Sql): Promise<number> {
  const { rows } = await sql.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.n ?? 0;
}
