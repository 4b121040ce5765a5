/**
 * Refunds that are due, written down as SENT before they are sent: whatever happens afterwards, the same id is sent
 * again and nothing else. A claim moves the next attempt on, so another copy of the job passes it over (P19).
 *
 * The refund of an order that was closed while its payment was being booked waits until the RELEASE has reached its
 * rows (P30): until then the ledger could still confirm them.
 */
import { REFUND, sourcesOf } from '../../domain/index.ts';
import type { Sql } from '../../platform/index.ts';
import type { RefundOrder } from '../payment/provider.ts';
import type { RefundCause } from './request-refund.ts';

export interface ClaimedRefund extends RefundOrder {
  readonly tradeId: string | null;
  readonly cause: RefundCause;
  readonly attempts: number;
  /** The provider has accepted it under this name: it is asked how it went, not sent again. */
  readonly providerRef: string | null;
}

/** Longer than the provider is given to answer, doubled with each attempt. */
const FIRST_WAIT_SECONDS = 30;
const LONGEST_WAIT_SECONDS = 3600;
// What is due later than twice the longest wait was written before the database's clock was set back: due now.

const CLAIM = `
  UPDATE tinystore_order.refund r
  SET status = 'SENT', attempts = r.attempts + 1, updated_at = ops.clock_now(),
      next_attempt_at = ops.clock_now() + make_interval(secs => least($3::float8, $2::float8 * 2 ^ least(r.attempts, 20)))
  FROM tinystore_order.payment_event e
  WHERE e.event_id = r.event_id AND r.id IN (
    SELECT d.id FROM tinystore_order.refund d
    WHERE d.status IN ('REQUESTED', 'SENT', 'FAILED') AND d.status = ANY($4::text[])
      AND (d.next_attempt_at <= ops.clock_now() OR d.next_attempt_at > ops.clock_now() + make_interval(secs => 2 * $3::float8))
      AND NOT (d.cause = 'CANCELLED' AND EXISTS (
        SELECT FROM tinystore_order.order_line_hold h
        LEFT JOIN tinystore_inventory.inventory_reservation v ON v.reservation_id = h.reservation_id
        WHERE h.trade_id = d.trade_id AND h.state = 'CURRENT' AND coalesce(v.status, 'PRE_DEDUCTED') = 'PRE_DEDUCTED'))
    ORDER BY d.next_attempt_at, d.id LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING r.id AS "refundId", r.trade_id AS "tradeId", r.cause, r.amount_minor AS "amountMinor", r.currency, r.attempts,
            e.intent_ref AS "intentRef", r.provider_ref AS "providerRef"`;

export async function claimRefunds(sql: Sql, limit: number): Promise<ClaimedRefund[]> {
  const { rows } = await sql.query<ClaimedRefund>(CLAIM, [
    limit,
    FIRST_WAIT_SECONDS,
    LONGEST_WAIT_SECONDS,
    sourcesOf(REFUND, 'SENT'),
  ]);
  return rows;
}
