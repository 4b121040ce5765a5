/** The end of a dead letter, by whichever way. Its key opens when nothing of it is open any more. */
import type { Sql } from '../platform/index.ts';
import type { LetterReports } from './dead-letter.ts';
import { openKeyWhenClear } from './failing-key.ts';
import { IS_OPEN, type OpenLetter } from './open-letter.ts';

/** In a transaction that holds the lock of the key. Returns false when it had ended before. */
export async function endLetter(
  tx: Sql,
  letter: Pick<OpenLetter, 'id' | 'consumer' | 'eventId' | 'key'>,
  end: { readonly status: 'RESOLVED' | 'DISCARDED'; readonly by: string },
  reports: Pick<LetterReports, 'ended'>,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE tinystore_inventory.dead_letter d
     SET status = $2, ended_by = $3, next_attempt_at = NULL, updated_at = ops.clock_now()
     WHERE d.id = $1 AND ${IS_OPEN}`,
    [letter.id, end.status, end.by],
  );
  if (rowCount !== 1) return false;
  await reports.ended(tx, { consumer: letter.consumer, eventId: letter.eventId, by: end.by });
  await openKeyWhenClear(tx, letter.consumer, letter.key);
  return true;
}
