/** Deadlocks of a test's database, as its server counts them: also those that a repeat has hidden. */
import type { Sql } from '../platform/index.ts';

/** A session hands in its count when it ends, or after some seconds of rest. */
export async function countDeadlocks(sql: Sql): Promise<number> {
  const { rows } = await sql.query<{ deadlocks: number }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0]?.deadlocks ?? -1;
}
