/**
 * A paid trade follows its shop orders (P29): SHIPPED or RECEIVED when every one that is not REFUNDED is at least
 * that, REFUNDED when all are. One step at a time, as the table of transitions has it; called after each move of a
 * shop order, by whoever holds the trade's lock.
 */
import type { TradeStatus } from '../../domain/index.ts';
import type { Tx } from '../../platform/index.ts';

const STEPS: readonly { readonly from: readonly TradeStatus[]; readonly to: TradeStatus; readonly every: string }[] = [
  { from: ['PAID'], to: 'SHIPPED', every: `('SHIPPED', 'RECEIVED', 'REFUNDED')` },
  { from: ['SHIPPED'], to: 'RECEIVED', every: `('RECEIVED', 'REFUNDED')` },
];

export async function followShopOrders(tx: Tx, tradeId: string): Promise<void> {
  const all = `NOT EXISTS (SELECT 1 FROM tinystore_order.shop_order s WHERE s.trade_id = t.id AND s.status`;
  const { rowCount: refunded } = await tx.query(
    `UPDATE tinystore_order.trade t SET status = 'REFUNDED', version = t.version + 1
     WHERE t.id = $1 AND t.status = ANY($2::text[]) AND ${all} <> 'REFUNDED')`,
    [tradeId, ['PAID', 'SHIPPED', 'RECEIVED'] satisfies TradeStatus[]],
  );
  if (refunded === 1) return closeIntent(tx, tradeId);
  for (const { from, to, every } of STEPS)
    await tx.query(
      `UPDATE tinystore_order.trade t SET status = $3, version = t.version + 1
       WHERE t.id = $1 AND t.status = ANY($2::text[]) AND ${all} NOT IN ${every})`,
      [tradeId, from, to],
    );
}

/** All the money is back. */
export async function closeIntent(tx: Tx, tradeId: string): Promise<void> {
  await tx.query(
    `UPDATE tinystore_order.payment_intent SET status = 'REFUNDED', updated_at = ops.clock_now()
     WHERE trade_id = $1 AND status = 'SUCCEEDED'`,
    [tradeId],
  );
}
