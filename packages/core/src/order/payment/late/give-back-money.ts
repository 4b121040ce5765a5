/** The decision to give late money back, and following its refund to the end. The caller holds the trade's lock. */
import { tombstoneIntended } from '../../../ledger/index.ts';
import type { Tx } from '../../../platform/index.ts';
import { type RefundCause, requestRefund } from '../../refund/request-refund.ts';
import type { LockedTrade } from '../../trade/lock-trade.ts';
import type { LatePayment } from './late-payment.ts';
import { endLatePayment, LATE_MONEY, lookAgainSoon } from './late-rows.ts';

/** Whatever a revive intended is ended first (P28). */
export async function giveBackMoney(
  tx: Tx,
  payment: LatePayment,
  trade: LockedTrade | undefined,
  reason: string,
): Promise<void> {
  if (trade && payment.status === 'REVIVING') await tombstoneIntended(tx, trade.id);
  const { refundId } = await requestRefund(tx, {
    tradeId: payment.tradeId,
    eventId: payment.eventId,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    cause: causeOf(payment, trade),
    idempotencyKey: `late-money:${payment.eventId}`,
    actor: LATE_MONEY,
    reason,
  });
  await tx.query(
    `UPDATE tinystore_order.late_payment
     SET status = 'REFUND_DUE', reason = $2, refund_id = $3, next_attempt_at = ops.clock_now() + interval '2 seconds'
     WHERE event_id = $1`,
    [payment.eventId, reason, refundId],
  );
}

/** An order that is open again, or paid by other money, must not be taken for refunded with this payment. */
function causeOf(payment: LatePayment, trade: LockedTrade | undefined): RefundCause {
  return payment.cause === 'LATE' && trade?.status !== 'CLOSED' ? 'SECOND' : payment.cause;
}

/** Rows of the first release were due back and had no refund of their own: they get it here. */
export async function followRefund(tx: Tx, payment: LatePayment, trade: LockedTrade | undefined): Promise<boolean> {
  if (payment.refundId === null) {
    await giveBackMoney(tx, payment, trade, 'the order could not take this payment');
    return false;
  }
  const { rowCount } = await tx.query(`SELECT 1 FROM tinystore_order.refund WHERE id = $1 AND status = 'SUCCEEDED'`, [
    payment.refundId,
  ]);
  if (rowCount !== 1) {
    await lookAgainSoon(tx, payment.eventId);
    return false;
  }
  await endLatePayment(tx, payment, 'REFUNDED');
  return true;
}
