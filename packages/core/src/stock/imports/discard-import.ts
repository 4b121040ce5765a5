/** An import that was reviewed and not wanted: nothing of it was booked, and its file may come again. */
import type { Failure } from '../../domain/index.ts';
import { inTransaction, type Pool } from '../../platform/index.ts';
import { type ImportAction, moveImport } from './import-state.ts';

export async function discardImport(
  pool: Pool,
  action: ImportAction,
): Promise<{ readonly kind: 'discarded' } | Failure> {
  const moved = await inTransaction(pool, (tx) => moveImport(tx, action, ['REVIEW'], 'DISCARDED'));
  return moved.kind === 'refused' ? moved : { kind: 'discarded' };
}
