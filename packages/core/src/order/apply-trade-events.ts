/**
 * P23: a trade that has left UNPAID no longer counts among its buyer's open orders. Done here and not in the
 * trade's own transaction, which would lock buyer and trade against the order commit.
 *
 * Each time a trade leaves UNPAID, or the count that a revive raised again (P28), exactly one of the two events says
 * so: TRADE_PAID follows only the move to PAID, and one that closes out of PAID_PENDING never had its TRADE_PAID. The
 * inbox lets each event through once.
 */
import type { IncomingEvent } from '../domain/index.ts';
import type { Tx } from '../platform/index.ts';

/** Events of other types are left alone. */
export async function applyTradeEvents(tx: Tx, events: readonly IncomingEvent[]): Promise<void> {
  const gone = events.filter((event) => event.type === 'TRADE_PAID' || event.type === 'TRADE_CLOSED');
  const left = Map.groupBy(
    gone.map((event) => event.payload.buyerId),
    (buyerId) => buyerId,
  );
  if (left.size === 0) return;
  const buyers = [...left.keys()];
  await tx.query(
    'SELECT 1 FROM tinystore_order.buyer_limit WHERE buyer_id = ANY($1::uuid[]) ORDER BY buyer_id FOR UPDATE',
    [buyers],
  );
  await tx.query(
    `UPDATE tinystore_order.buyer_limit b SET open_orders = greatest(0, b.open_orders - gone.orders)
     FROM unnest($1::uuid[], $2::integer[]) AS gone(buyer_id, orders) WHERE b.buyer_id = gone.buyer_id`,
    [buyers, [...left.values()].map((trades) => trades.length)],
  );
}
