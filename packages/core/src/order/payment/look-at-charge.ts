/**
 * What else is known of the charge that a notice tells of: several notices of one charge are one payment, whichever of
 * them found its order (P30). They are locked first and looked at by a later statement, so that of two that are judged
 * or given back at one instant, the second sees what became of the first.
 */
import type { Tx } from '../../platform/index.ts';

export interface ChargeKnown {
  /** Another notice has brought this money to an order, or sent it back. */
  readonly chargeJudged: boolean;
  /** A notice said that all of it was paid back. */
  readonly chargeRefunded: boolean;
  /** A notice said that money was paid back, but less than came. */
  readonly partRefunded: boolean;
}

const NOTHING: ChargeKnown = { chargeJudged: false, chargeRefunded: false, partRefunded: false };

interface ChargeNotice {
  readonly eventId: string;
  readonly chargeRef: string | null;
  readonly amountMinor: number | null;
  readonly currency: string | null;
}

/** One that names no charge is always a payment of its own. One that is UNMATCHED has brought its money nowhere yet. */
export async function lookAtCharge(
  tx: Tx,
  { eventId, chargeRef, amountMinor, currency }: ChargeNotice,
): Promise<ChargeKnown> {
  if (chargeRef === null) return NOTHING;
  await tx.query('SELECT 1 FROM tinystore_order.payment_event WHERE charge_ref = $1 ORDER BY event_id FOR UPDATE', [
    chargeRef,
  ]);
  const { rows } = await tx.query<ChargeKnown>(
    `SELECT coalesce(bool_or(e.kind = 'SUCCEEDED' AND (l.event_id IS NOT NULL
              OR e.verdict IN ('PAID', 'LATE', 'SECOND', 'AMOUNT_DIFFERS'))), false) AS "chargeJudged",
            coalesce(bool_or(back.whole), false) AS "chargeRefunded",
            coalesce(bool_or(e.kind = 'REFUNDED') AND NOT bool_or(back.whole), false) AS "partRefunded"
     FROM tinystore_order.payment_event e LEFT JOIN tinystore_order.late_payment l ON l.event_id = e.event_id
     CROSS JOIN LATERAL (
       SELECT e.kind = 'REFUNDED' AND coalesce(e.amount_minor >= $3::bigint AND e.currency = $4, false) AS whole) back
     WHERE e.charge_ref = $1 AND e.event_id <> $2`,
    [chargeRef, eventId, amountMinor, currency],
  );
  return rows[0] ?? NOTHING;
}
