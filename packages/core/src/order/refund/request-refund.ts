/**
 * Writes down that money goes back, in the transaction that decided it; `payment.send-refunds` sends it. Idempotent
 * by key. The row of the payment is locked, so that all refunds of one payment together never pass its amount (P31).
 *
 * A caller that holds the trade's lock took it before (P12).
 */
import { mint } from '../../domain/index.ts';
import type { Tx } from '../../platform/index.ts';

export type RefundCause =
  | 'LATE'
  | 'SECOND'
  | 'CONFIRM_CONFLICT'
  | 'AMOUNT_DIFFERS'
  | 'UNMATCHED'
  | 'CUSTOMER'
  | 'CANCELLED';

export interface RefundRequest {
  /** null only for a payment whose order is not known here. */
  readonly tradeId: string | null;
  readonly shopOrderId?: string | null;
  /** The payment notice that brought the money. */
  readonly eventId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly cause: RefundCause;
  /** 8 to 200 characters. */
  readonly idempotencyKey: string;
  readonly actor: string;
  readonly reason: string;
}

/** @throws when the key has asked for another refund, or the payment did not bring that much */
export async function requestRefund(tx: Tx, request: RefundRequest): Promise<{ readonly refundId: string }> {
  const left = await lockPayment(tx, request);
  const {
    rows: [made],
  } = await tx.query<{ id: string }>(
    `INSERT INTO tinystore_order.refund
       (id, trade_id, shop_order_id, event_id, cause, amount_minor, currency, reason, actor, idempotency_key)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (idempotency_key) DO NOTHING RETURNING id`,
    [
      mint<'RefundId'>(),
      request.tradeId,
      request.shopOrderId ?? null,
      request.eventId,
      request.cause,
      request.amountMinor,
      request.currency,
      request.reason,
      request.actor,
      request.idempotencyKey,
    ],
  );
  if (!made) return findRefund(tx, request);
  if (request.amountMinor > left)
    throw new Error(`payment ${request.eventId} has ${left} left to give back, not ${request.amountMinor}`);
  return { refundId: made.id };
}

/** What the payment brought, less every refund of it that was ever asked for: a failed one is sent again. */
async function lockPayment(tx: Tx, { eventId, currency }: RefundRequest): Promise<number> {
  const {
    rows: [payment],
  } = await tx.query<{ amountMinor: number | null; currency: string | null }>(
    'SELECT amount_minor AS "amountMinor", currency FROM tinystore_order.payment_event WHERE event_id = $1 FOR UPDATE',
    [eventId],
  );
  if (payment?.amountMinor == null || payment.currency !== currency)
    throw new Error(`payment ${eventId} brought no money in ${currency}`);
  const {
    rows: [asked],
  } = await tx.query<{ minor: number }>(
    'SELECT coalesce(sum(amount_minor), 0)::bigint AS minor FROM tinystore_order.refund WHERE event_id = $1',
    [eventId],
  );
  return payment.amountMinor - (asked?.minor ?? 0);
}

async function findRefund(tx: Tx, request: RefundRequest): Promise<{ readonly refundId: string }> {
  const { rows } = await tx.query<{ id: string }>(
    `SELECT id FROM tinystore_order.refund WHERE idempotency_key = $1 AND event_id = $2 AND amount_minor = $3
       AND currency = $4 AND trade_id IS NOT DISTINCT FROM $5 AND shop_order_id IS NOT DISTINCT FROM $6`,
    [
      request.idempotencyKey,
      request.eventId,
      request.amountMinor,
      request.currency,
      request.tradeId,
      request.shopOrderId ?? null,
    ],
  );
  if (!rows[0]) throw new Error(`the key ${request.idempotencyKey} has asked for another refund`);
  return { refundId: rows[0].id };
}
