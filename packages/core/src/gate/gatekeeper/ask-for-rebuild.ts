/**
 * A person's wish for a rebuild of the gate (P10). It stands in the database, for the gatekeeper lives in another process;
 * a publish wakes it, at the latest it looks within a second. The audit row is written with the opening, when the epochs
 * before and after are known.
 */
import { type Failure, refuse } from '../../domain/index.ts';
import type { Pool, Sql, Waker } from '../../platform/index.ts';

export interface RebuildWish {
  /** The same one again changes nothing. */
  readonly requestId: string;
  readonly actor: string;
  readonly reason: string;
}
/** `already`: this request came before, or another one waits. */
export type AskedRebuild = { readonly kind: 'asked' | 'already' } | Failure;

export async function askForRebuild(
  { pool, waker }: { readonly pool: Pool; readonly waker?: Waker },
  { requestId, actor, reason }: RebuildWish,
): Promise<AskedRebuild> {
  if (reason.trim() === '') return refuse('INVALID_INPUT', 'Say why the gate is rebuilt.', { field: 'reason' });
  const { rows } = await pool.query<{ asked: boolean }>(
    'SELECT tinystore_inventory.ask_for_rebuild($1, $2, $3) AS asked',
    [requestId, actor, reason.trim()],
  );
  waker?.wake('gate');
  return { kind: rows[0]?.asked === true ? 'asked' : 'already' };
}

/** The wish that waits longest, if any. */
export async function readRequest(sql: Sql): Promise<{ readonly id: string; readonly reason: string } | undefined> {
  const { rows } = await sql.query<{ id: string; reason: string }>(
    'SELECT id, reason FROM tinystore_inventory.gate_rebuild WHERE opened_at IS NULL ORDER BY asked_at LIMIT 1',
  );
  return rows[0];
}
