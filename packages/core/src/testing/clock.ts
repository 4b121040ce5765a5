/**
 * Moves time for a test database (P42): the two clock functions are replaced, so every process that uses this
 * database moves with it, and scripts get the same offset as an argument.
 */
import type { Sql } from '../platform/index.ts';

/** @param offsetMs milliseconds ahead of (or, negative, behind) real time */
export async function setClockOffset(sql: Sql, offsetMs: number): Promise<void> {
  if (!Number.isSafeInteger(offsetMs)) throw new Error('the clock moves by whole milliseconds');
  await sql.query(
    `CREATE OR REPLACE FUNCTION ops.clock_offset_ms() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT ${offsetMs}::bigint $$`,
  );
  await sql.query(
    `CREATE OR REPLACE FUNCTION ops.clock_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
     AS $$ SELECT now() + interval '${offsetMs} milliseconds' $$`,
  );
}
