/**
 * A lease in PostgreSQL names the one worker that runs a loop. It saves work; it is never what keeps an action
 * safe (P19): every action is guarded by epoch, generation, claim, status or a unique key.
 */
import type { Sql } from './postgres.ts';

/**
 * No lease runs longer. One that seems to was written before the database's clock was set back, and whoever wrote it may
 * be dead: nobody waits for it.
 */
const LONGEST_SECONDS = 120;

/**
 * Takes or renews the lease for `ttlMs`; false while another holder's lease is running. A take-over before its time
 * names the holder it replaces: of two that try, one gets it (C11).
 */
export async function holdLease(
  sql: Sql,
  name: string,
  holder: string,
  ttlMs: number,
  replaces: string | null = null,
): Promise<boolean> {
  if (ttlMs > LONGEST_SECONDS * 1000) throw new Error(`a lease of ${ttlMs} ms is too long`);
  const { rowCount } = await sql.query(
    `INSERT INTO tinystore_inventory.lease AS l (name, holder, expires_at)
     VALUES ($1, $2, ops.clock_now() + make_interval(secs => $3 / 1000.0))
     ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
     WHERE l.holder IN (excluded.holder, $4) OR l.expires_at < ops.clock_now()
       OR l.expires_at > ops.clock_now() + interval '${LONGEST_SECONDS} seconds'`,
    [name, holder, ttlMs, replaces],
  );
  return rowCount === 1;
}

/** Gives the lease up on a clean stop, so that the next holder need not wait. */
export async function dropLease(sql: Sql, name: string, holder: string): Promise<void> {
  await sql.query('DELETE FROM tinystore_inventory.lease WHERE name = $1 AND holder = $2', [name, holder]);
}
