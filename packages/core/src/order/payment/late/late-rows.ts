/** The rows of late money: claimed by one worker at a time, read and moved under the lock of their trade. */
import { closeIncident } from '../../../ops/index.ts';
import type { Sql, Tx } from '../../../platform/index.ts';
import { incidentOf, type LatePayment, REVIVE_LIMIT } from './late-payment.ts';

export const LATE_MONEY = 'payment.late-money';

export interface ClaimedPayment {
  readonly eventId: string;
  readonly tradeId: string | null;
}

/** Longer than one payment takes; a worker that dies leaves its claims to the next after this. */
const CLAIM = '30 seconds';
// What is due much later than any claim sets it was written before the database's clock was set back: due now. Twice the
// wait, for a claim that began a moment earlier must not take what another has just claimed.

export async function claimDue(sql: Sql, size: number): Promise<ClaimedPayment[]> {
  const { rows } = await sql.query<ClaimedPayment>(
    `UPDATE tinystore_order.late_payment SET next_attempt_at = ops.clock_now() + $2::interval
     WHERE event_id IN (SELECT event_id FROM tinystore_order.late_payment
       WHERE status IN ('OPEN', 'REVIVING', 'REFUND_DUE')
         AND (next_attempt_at <= ops.clock_now() OR next_attempt_at > ops.clock_now() + 2 * $2::interval)
       ORDER BY next_attempt_at, event_id LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING event_id AS "eventId", trade_id AS "tradeId"`,
    [size, CLAIM],
  );
  return rows;
}

/** After the trade's lock. */
export async function lockLatePayment(tx: Tx, eventId: string): Promise<LatePayment> {
  const { rows } = await tx.query<LatePayment>(
    `SELECT event_id AS "eventId", trade_id AS "tradeId", cause, status, amount_minor AS "amountMinor", currency,
            refund_id AS "refundId", attempts, opened_at < ops.clock_now() - $2::interval AS overdue
     FROM tinystore_order.late_payment WHERE event_id = $1 FOR UPDATE`,
    [eventId, REVIVE_LIMIT],
  );
  if (!rows[0]) throw new Error(`late payment ${eventId} is gone`);
  return rows[0];
}

export async function lookAgainSoon(sql: Sql, eventId: string): Promise<void> {
  await sql.query(
    `UPDATE tinystore_order.late_payment SET next_attempt_at = ops.clock_now() + interval '2 seconds' WHERE event_id = $1`,
    [eventId],
  );
}

/** The end of late money: its incident closes by itself. */
export async function endLatePayment(tx: Tx, payment: LatePayment, to: 'REVIVED' | 'REFUNDED'): Promise<void> {
  const { rowCount } = await tx.query(
    `UPDATE tinystore_order.late_payment SET status = $2, ended_at = ops.clock_now() WHERE event_id = $1 AND status = $3`,
    [payment.eventId, to, to === 'REVIVED' ? 'REVIVING' : 'REFUND_DUE'],
  );
  if (rowCount !== 1) throw new Error(`late payment ${payment.eventId} was locked and could not end as ${to}`);
  await closeIncident(tx, { ...incidentOf(payment), by: LATE_MONEY });
}
