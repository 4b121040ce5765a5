/**
 * Redrive: asks stream.retry for one more try of a DEAD letter, in its turn (P33). It may be asked for twice: the
 * inbox mark lets one effect through. The letter stays DEAD when the try fails.
 */
import { type Failure, refuse } from '../../../domain/index.ts';
import { inTransaction, type Pool } from '../../../platform/index.ts';
import { appendAudit } from '../../index.ts';

export interface ByPerson {
  readonly actor: string;
  readonly reason: string;
}
export type Redriven = { readonly kind: 'asked'; readonly letters: number } | Failure;

const MOST_AT_ONCE = 5000;

const ASK = `
  UPDATE tinystore_inventory.dead_letter SET next_attempt_at = ops.clock_now(), asked_by = $2, updated_at = ops.clock_now()
  WHERE id = ANY(ARRAY(SELECT id FROM tinystore_inventory.dead_letter
                       WHERE status = 'DEAD' AND (id = $1 OR fingerprint = $3) ORDER BY id LIMIT ${MOST_AT_ONCE} FOR UPDATE))
  RETURNING id, consumer, event_id AS "eventId", reason`;

export async function redriveLetter(pool: Pool, { id, ...by }: ByPerson & { readonly id: number }): Promise<Redriven> {
  return ask(pool, by, { id, target: `dead letter ${id}` });
}

/** Every DEAD letter of one cause; stream.retry takes each key's in order. */
export async function redriveGroup(
  pool: Pool,
  { fingerprint, ...by }: ByPerson & { readonly fingerprint: string },
): Promise<Redriven> {
  return ask(pool, by, { fingerprint, target: `dead letters "${fingerprint}"` });
}

function ask(
  pool: Pool,
  { actor, reason }: ByPerson,
  which: { readonly id?: number; readonly fingerprint?: string; readonly target: string },
): Promise<Redriven> {
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ id: number }>(ASK, [which.id ?? null, actor, which.fingerprint ?? null]);
    if (rows.length === 0)
      return refuse(
        'WRONG_STATE',
        'Only a message that was given up can be tried again; this one is not, or no longer.',
      );
    await appendAudit(tx, {
      actor,
      action: 'dead-letter.redrive',
      target: which.target,
      reason,
      before: { status: 'DEAD', letters: rows.map((row) => row.id) },
      after: { status: 'DEAD', asked: true },
    });
    return { kind: 'asked', letters: rows.length };
  });
}
