/** No money is taken for a price that the promotion may still refuse (design section 9). */
import { type Failure, refuse } from '../../domain/index.ts';
import type { Tx } from '../../platform/index.ts';

export async function refuseWhilePending(tx: Tx, tradeId: string): Promise<Failure | undefined> {
  const { rowCount } = await tx.query(
    `SELECT 1 FROM tinystore_order.promotion_lock WHERE trade_id = $1 AND status = 'PENDING'`,
    [tradeId],
  );
  if (rowCount === 0) return undefined;
  return refuse('PROMOTION_PENDING', 'The coupon of this order is being checked. Please try again in a moment.', {
    tradeId,
    retryAfterMs: 1000,
  });
}
