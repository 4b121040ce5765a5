/**
 * P23: a revived order counts again for its buyer, also past the limit: it is paid. Buyer rows are locked before the
 * trade (P12), so the lock is a step of its own.
 */
import type { Tx } from '../../platform/index.ts';
import { countBuyerUnits } from '../limits/count-buyer-units.ts';

export async function lockBuyer(tx: Tx, buyerId: string): Promise<void> {
  await tx.query('INSERT INTO tinystore_order.buyer_limit (buyer_id) VALUES ($1) ON CONFLICT DO NOTHING', [buyerId]);
  await tx.query('SELECT 1 FROM tinystore_order.buyer_limit WHERE buyer_id = $1 FOR UPDATE', [buyerId]);
}

/**
 * Its TRADE_CLOSED has taken it from the counts or will; its TRADE_PAID counts the open orders anew. The units of limited
 * SKUs stay counted.
 */
export async function raiseBuyerLimit(
  tx: Tx,
  { buyerId, tradeId }: { readonly buyerId: string; readonly tradeId: string },
): Promise<void> {
  await tx.query('UPDATE tinystore_order.buyer_limit SET open_orders = open_orders + 1 WHERE buyer_id = $1', [buyerId]);
  await countBuyerUnits(tx, [tradeId]);
}
