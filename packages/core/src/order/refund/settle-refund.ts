/**
 * What the provider's answer to a refund means. Money that is back is final: returned units are REFUNDED, a shop order
 * only at its full amount, and the trade follows (P29, P31). The event goes out with it.
 */
import { closeIncident, openIncident } from '../../ops/index.ts';
import { append } from '../../outbox/index.ts';
import type { Tx } from '../../platform/index.ts';
import { closeIntent } from '../trade/follow-shop-orders.ts';
import { type LockedTrade, lockShopOrders, lockTrade } from '../trade/lock-trade.ts';
import type { ClaimedRefund } from './claim-refunds.ts';
import { refundInFull } from './refund-in-full.ts';
import type { RefundCause } from './request-refund.ts';

/** Answers false when the refund was settled before: a repeat, or an answer that came late. */
export async function settleRefund(tx: Tx, refund: ClaimedRefund, providerRef: string): Promise<boolean> {
  const trade = refund.tradeId === null ? undefined : await lockTrade(tx, refund.tradeId);
  const {
    rows: [settled],
  } = await tx.query<{ shopOrderId: string | null }>(
    `UPDATE tinystore_order.refund SET status = 'SUCCEEDED', provider_ref = $2, failure = NULL,
       succeeded_at = ops.clock_now(), updated_at = ops.clock_now()
     WHERE id = $1 AND status = 'SENT' RETURNING shop_order_id AS "shopOrderId"`,
    [refund.refundId, providerRef],
  );
  if (!settled) return false;
  await closeIncident(tx, { kind: 'REFUND_NOT_DONE', subject: refund.refundId, by: 'payment.send-refunds' });
  if (!trade) return true;
  await tx.query(
    `UPDATE tinystore_order.return_item SET status = 'REFUNDED', updated_at = ops.clock_now()
     WHERE refund_id = $1 AND status = 'RECEIVED'`,
    [refund.refundId],
  );
  if (settled.shopOrderId !== null) {
    await lockShopOrders(tx, [trade.id]);
    await refundInFull(tx, trade.id, [settled.shopOrderId]);
  } else if (trade.status === 'CLOSED' && BOUGHT_NOTHING.includes(refund.cause)) await refundClosed(tx, trade);
  await announce(tx, trade, refund, settled.shopOrderId);
  return true;
}

/** Money of the order itself; a second payment or a wrong amount never was. */
const BOUGHT_NOTHING: readonly RefundCause[] = ['LATE', 'CONFIRM_CONFLICT', 'CANCELLED'];

/** Only once all of it is back (P29): two payments that both came late are two refunds, and the last one ends it. */
async function refundClosed(tx: Tx, trade: LockedTrade): Promise<void> {
  const { rowCount } = await tx.query(
    `UPDATE tinystore_order.trade t SET status = 'REFUNDED', version = t.version + 1
     WHERE t.id = $1 AND t.status = 'CLOSED'
       AND NOT EXISTS (SELECT FROM tinystore_order.refund r
         WHERE r.trade_id = t.id AND r.cause = ANY($2::text[]) AND r.status <> 'SUCCEEDED')
       AND NOT EXISTS (SELECT FROM tinystore_order.late_payment l
         WHERE l.trade_id = t.id AND l.cause = ANY($2::text[]) AND l.status IN ('OPEN', 'REVIVING', 'REFUND_DUE') AND l.refund_id IS NULL)`,
    [trade.id, BOUGHT_NOTHING],
  );
  if (rowCount === 1) await closeIntent(tx, trade.id);
}

async function announce(tx: Tx, trade: LockedTrade, refund: ClaimedRefund, shopOrderId: string | null): Promise<void> {
  const { rows: units } = await tx.query<{ shopId: string; skuId: string; quantity: number }>(
    `SELECT s.shop_id AS "shopId", l.sku_id AS "skuId", l.quantity FROM tinystore_order.refund_line l
     JOIN tinystore_order.shop_order s ON s.id = l.shop_order_id WHERE l.refund_id = $1 AND l.quantity > 0 ORDER BY l.sku_id`,
    [refund.refundId],
  );
  const { refundId, amountMinor, currency, cause } = refund;
  await append(tx, [
    {
      type: 'REFUND_SUCCEEDED',
      key: trade.id,
      traceId: trade.id,
      payload: {
        tradeId: trade.id,
        buyerId: trade.buyerId,
        refundId,
        shopOrderId,
        amountMinor,
        currency,
        cause,
        units,
      },
    },
  ]);
}

/** The provider refuses: kept and sent again, and a person is told. Only for the attempt that was answered. */
export async function failRefund(tx: Tx, refund: ClaimedRefund, reason: string): Promise<void> {
  const { rowCount } = await tx.query(
    `UPDATE tinystore_order.refund SET status = 'FAILED', failure = $3, provider_ref = NULL, updated_at = ops.clock_now()
     WHERE id = $1 AND status = 'SENT' AND attempts = $2`,
    [refund.refundId, refund.attempts, reason],
  );
  if (rowCount === 1) await tellPeople(tx, refund, reason);
}

export async function tellPeople(tx: Tx, refund: ClaimedRefund, why: string): Promise<void> {
  const { refundId, tradeId, amountMinor, currency, cause, attempts } = refund;
  await openIncident(tx, {
    kind: 'REFUND_NOT_DONE',
    subject: refundId,
    detail: { tradeId, amountMinor, currency, cause, attempts, why },
  });
}
