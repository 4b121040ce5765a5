/** Discard: a message that needs no effect any more is thrown away, with a reason. Its key opens for those behind it. */
import { type Failure, refuse } from '../../../domain/index.ts';
import { inTransaction, type Pool } from '../../../platform/index.ts';
import { endLetter, lockFailingKeys } from '../../../stream/index.ts';
import { appendAudit } from '../../index.ts';
import { classifyLetter } from './may-discard.ts';
import type { ByPerson } from './redrive-letters.ts';
import { createLetterReports } from './report-letters.ts';

export type Discarded = { readonly kind: 'discarded' } | Failure;

interface Row {
  readonly id: number;
  readonly consumer: string;
  readonly eventId: string;
  readonly type: string;
  readonly key: string;
  readonly status: string;
}

export async function discardLetter(
  pool: Pool,
  { id, actor, reason }: ByPerson & { readonly id: number },
): Promise<Discarded> {
  return inTransaction(pool, async (tx) => {
    const read = (lock: string) =>
      tx.query<Row>(
        `SELECT id, consumer, event_id AS "eventId", type, key, status FROM tinystore_inventory.dead_letter
         WHERE id = $1 ${lock}`,
        [id],
      );
    const found = (await read('')).rows[0];
    if (!found) return refuse('NOT_FOUND', 'There is no such message.');
    // The key comes before its letters, as for everybody who ends one.
    await lockFailingKeys(tx, found.consumer, [found.key]);
    const letter = (await read('FOR UPDATE')).rows[0];
    if (letter?.status !== 'DEAD')
      return refuse('WRONG_STATE', `Only a message that was given up can be discarded; this one is ${letter?.status}.`);
    if (classifyLetter(letter.type) === 'moves-units')
      return refuse(
        'WRONG_STATE',
        'A message that moves units cannot be discarded. Close and refund the order instead.',
      );
    // What is thrown away is told to nobody again.
    await endLetter(tx, letter, { status: 'DISCARDED', by: actor }, createLetterReports({ dltEnabled: false }));
    await appendAudit(tx, {
      actor,
      action: 'dead-letter.discard',
      target: `dead letter ${id}`,
      reason,
      before: { status: 'DEAD', consumer: letter.consumer, eventId: letter.eventId, type: letter.type },
      after: { status: 'DISCARDED' },
    });
    return { kind: 'discarded' };
  });
}
