/**
 * "Close and refund": an operator ends a trade whose money has come and whose units the ledger has not confirmed yet
 * (P33's safe action). The trade closes, its units are released, and the refund is written down at once; it is sent
 * only after the RELEASE has reached every row (P30, claim-refunds.ts). A CONFIRM that comes later finds the trade
 * closed and changes nothing (P27).
 *
 * The caller holds the lock of the trade, in PAID_PENDING.
 */
import { SHOP_ORDER, sourcesOf } from '../../domain/index.ts';
import { append, type NewEvent } from '../../outbox/index.ts';
import type { Tx } from '../../platform/index.ts';
import { findPayment } from '../refund/find-payment.ts';
import { requestRefund } from '../refund/request-refund.ts';
import { type LockedTrade, lockShopOrders } from './lock-trade.ts';
import { byShopOrder, readHolds, reservedLine } from './read-holds.ts';

/** False when the ledger has confirmed a unit already: then the trade is as good as PAID, and is refunded instead. */
export async function closePaid(tx: Tx, trade: LockedTrade, by: { name: string; reason: string }): Promise<boolean> {
  await lockShopOrders(tx, [trade.id]);
  const holds = await readHolds(tx, [trade.id]);
  if (holds.some((hold) => hold.row === 'CONFIRMED')) return false;
  const {
    rows: [closed],
  } = await tx.query<{ totalMinor: number }>(
    `UPDATE tinystore_order.trade SET status = 'CLOSED', close_reason = 'OPERATOR_CANCELLED', closed_at = ops.clock_now(),
       version = version + 1
     WHERE id = $1 AND status = 'PAID_PENDING' RETURNING total_minor AS "totalMinor"`,
    [trade.id],
  );
  if (!closed) throw new Error(`trade ${trade.id} was locked as PAID_PENDING and could not be closed`);
  await tx.query(
    `UPDATE tinystore_order.shop_order SET status = 'RELEASING', version = version + 1
     WHERE trade_id = $1 AND status = ANY($2::text[])`,
    [trade.id, sourcesOf(SHOP_ORDER, 'RELEASING')],
  );
  const payment = await findPayment(tx, trade.id, closed.totalMinor);
  await requestRefund(tx, {
    ...payment,
    tradeId: trade.id,
    amountMinor: closed.totalMinor,
    cause: 'CANCELLED',
    idempotencyKey: `close:${trade.id}:${payment.eventId}`,
    actor: by.name,
    reason: by.reason,
  });
  const released = [...byShopOrder(holds)].map(([shopOrderId, own]): NewEvent => {
    const payload = { tradeId: trade.id, shopOrderId, lines: own.map(reservedLine), reason: 'OPERATOR_CANCELLED' };
    return { type: 'INVENTORY_RELEASE', key: shopOrderId, traceId: trade.id, payload };
  });
  const { id: tradeId, buyerId, payUntil } = trade;
  const payload = { tradeId, buyerId, payUntil, reason: 'OPERATOR_CANCELLED' };
  await append(tx, [...released, { type: 'TRADE_CLOSED', key: tradeId, traceId: tradeId, payload }]);
  return true;
}
