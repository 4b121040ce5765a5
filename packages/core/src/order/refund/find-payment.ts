/** The payment that bought a trade's goods: paid in time, or late and used to revive the order (P28). */
import type { Tx } from '../../platform/index.ts';

export interface Payment {
  readonly eventId: string;
  readonly currency: string;
}

/** @throws when no payment of the trade has this much left to give back: that was paid for, so it must be there */
export async function findPayment(tx: Tx, tradeId: string, amountMinor: number): Promise<Payment> {
  const { rows } = await tx.query<Payment>(
    `SELECT e.event_id AS "eventId", e.currency FROM tinystore_order.payment_event e
     LEFT JOIN tinystore_order.late_payment l ON l.event_id = e.event_id
     WHERE e.trade_id = $1 AND e.kind = 'SUCCEEDED'
       AND CASE WHEN l.event_id IS NULL THEN e.verdict = 'PAID' ELSE l.status IN ('REVIVING', 'REVIVED') END
       AND e.amount_minor - (SELECT coalesce(sum(r.amount_minor), 0) FROM tinystore_order.refund r WHERE r.event_id = e.event_id) >= $2
     ORDER BY e.received_at DESC LIMIT 1`,
    [tradeId, amountMinor],
  );
  if (!rows[0]) throw new Error(`no payment of trade ${tradeId} has ${amountMinor} left to give back`);
  return rows[0];
}
