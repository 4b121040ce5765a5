/** Plants a fault into a migrated test database: functions are re-created as they stand there, with the edit. */
import type { Pool } from '../../platform/index.ts';
import { type Plant, plantFunctions } from './plant.ts';

/** Nothing happens for a fault that is planted elsewhere. */
export async function plantSql(pool: Pool, { name, place }: Plant): Promise<void> {
  if ('statement' in place) await pool.query(place.statement);
  if (!('functions' in place)) return;
  const definitions: string[] = [];
  for (const one of place.functions) {
    const { rows } = await pool.query<{ text: string }>('SELECT pg_get_functiondef($1::regproc) AS text', [one]);
    definitions.push(rows[0]?.text ?? '');
  }
  for (const text of plantFunctions(definitions, place.edits, name)) await pool.query(text);
}
