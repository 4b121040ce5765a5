/**
 * P23: a trade that has left UNPAID no longer counts among its buyer's open orders, and units of limited SKUs count no
 * more once their order is closed or their money is back. Done here and not in the trade's own transaction, which would
 * lock buyer and trade against the order commit.
 */
import type { IncomingEvent } from '../domain/index.ts';
import type { Tx } from '../platform/index.ts';
import { countBuyerUnits, lockBuyers } from './limits/count-buyer-units.ts';

type OfType<T extends IncomingEvent['type']> = Extract<IncomingEvent, { type: T }>;

/** Events of other types are left alone. */
export async function applyTradeEvents(tx: Tx, events: readonly IncomingEvent[]): Promise<void> {
  const closed = events.filter((event): event is OfType<'TRADE_CLOSED'> => event.type === 'TRADE_CLOSED');
  const paid = events.filter((event): event is OfType<'TRADE_PAID'> => event.type === 'TRADE_PAID');
  const refunded = events.filter((event): event is OfType<'REFUND_SUCCEEDED'> => event.type === 'REFUND_SUCCEEDED');
  const buyers = new Set([...closed, ...paid, ...refunded].map((event) => event.payload.buyerId));
  if (buyers.size === 0) return;
  await lockBuyers(tx, [...buyers]);
  await countOpenOrders(tx, [...buyers]);
  await countBuyerUnits(
    tx,
    [...closed, ...refunded].map((event) => event.payload.tradeId),
  );
}

/**
 * Counted anew, not lowered: the buyer's row is locked, and every order of this buyer is committed under that lock. So a
 * trade that was revived and then paid, or closed a second time, cannot count twice.
 */
async function countOpenOrders(tx: Tx, buyerIds: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE tinystore_order.buyer_limit b SET open_orders = open.orders
     FROM unnest($1::uuid[]) AS u(buyer_id)
     CROSS JOIN LATERAL (SELECT count(*) AS orders FROM tinystore_order.trade t
                         WHERE t.buyer_id = u.buyer_id AND t.status || '' = 'UNPAID') open
     WHERE b.buyer_id = u.buyer_id`,
    [buyerIds],
  );
}
