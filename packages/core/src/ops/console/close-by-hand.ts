/**
 * An operator closes an incident that nothing in the product can see the end of, and says why (invariant 11). One that
 * closes by itself is refused: closed by hand it would only be hidden.
 */
import { type Failure, refuse } from '../../domain/index.ts';
import { inTransaction, type Pool } from '../../platform/index.ts';
import { appendAudit } from '../audit.ts';
import { mayCloseByHand } from '../incident-kinds.ts';
import { AMOUNT_UNKNOWN } from '../incidents.ts';

export interface CloseByHand {
  readonly id: number;
  readonly actor: string;
  readonly reason: string;
}

/** Closed already, by whomever, is success: nothing is written again. */
export async function closeByHand(
  pool: Pool,
  { id, actor, reason }: CloseByHand,
): Promise<{ readonly kind: 'closed' } | Failure> {
  if (reason.trim() === '') return refuse('INVALID_INPUT', 'Say why it is closed.', { field: 'reason' });
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ kind: string; subject: string; status: string; amountUnknown: boolean }>(
      `SELECT i.kind, i.subject, i.status, ${AMOUNT_UNKNOWN} AS "amountUnknown" FROM ops.incident i
       WHERE i.id = $1 FOR UPDATE`,
      [id],
    );
    const [found] = rows;
    if (!found) return refuse('NOT_FOUND', 'There is no such incident.');
    if (found.status !== 'OPEN') return { kind: 'closed' };
    if (!mayCloseByHand(found.kind, found.amountUnknown))
      return refuse('WRONG_STATE', 'This incident closes by itself when its cause is gone.');
    await tx.query(
      `UPDATE ops.incident SET status = 'CLOSED', closed_at = ops.clock_now(), closed_by = $2 WHERE id = $1`,
      [id, actor],
    );
    await appendAudit(tx, {
      actor,
      action: 'incident.close',
      target: `incident ${id}`,
      reason,
      before: { status: 'OPEN', kind: found.kind, subject: found.subject },
      after: { status: 'CLOSED' },
    });
    return { kind: 'closed' };
  });
}
