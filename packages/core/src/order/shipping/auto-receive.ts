/**
 * Job order.auto-receive: what was shipped long enough ago counts as received. Oldest first, one transaction a trade,
 * so one that fails fails alone; a trade that somebody works on is passed over until the next run.
 */
import { inTransaction, type Tx } from '../../platform/index.ts';
import { type TradeDeps, wakeAfterChange } from '../trade/change-trades.ts';
import { LOCKED_TRADE_COLUMNS, type LockedTrade, lockShopOrders } from '../trade/lock-trade.ts';
import { markReceived } from './receive-order.ts';

export interface AutoReceived {
  readonly scanned: number;
  readonly changed: number;
  readonly failed: number;
}

const DUE = `s.status = 'SHIPPED' AND s.shipped_at <= ops.clock_now() - make_interval(secs => $2::float8)`;

export async function autoReceive(
  deps: TradeDeps,
  { afterSeconds, limit }: { readonly afterSeconds: number; readonly limit: number },
): Promise<AutoReceived> {
  const { rows } = await deps.pool.query<{ tradeId: string }>(
    `SELECT s.trade_id AS "tradeId" FROM tinystore_order.shop_order s WHERE ${DUE}
     GROUP BY s.trade_id ORDER BY min(s.shipped_at), s.trade_id LIMIT $1`,
    [limit, afterSeconds],
  );
  let [changed, failed] = [0, 0];
  for (const { tradeId } of rows)
    try {
      changed += await inTransaction(deps.pool, (tx) => receiveDue(tx, tradeId, afterSeconds));
    } catch (error) {
      failed += 1;
      deps.log.error({ error: String(error), tradeId }, 'a shipped order could not be received by time');
    }
  if (changed > 0) wakeAfterChange(deps);
  return { scanned: rows.length, changed, failed };
}

async function receiveDue(tx: Tx, tradeId: string, afterSeconds: number): Promise<number> {
  const {
    rows: [trade],
  } = await tx.query<LockedTrade>(
    `SELECT ${LOCKED_TRADE_COLUMNS} FROM tinystore_order.trade t WHERE t.id = $1 FOR UPDATE SKIP LOCKED`,
    [tradeId],
  );
  if (!trade) return 0;
  await lockShopOrders(tx, [tradeId]);
  const { rows } = await tx.query<{ id: string }>(
    `SELECT s.id FROM tinystore_order.shop_order s WHERE s.trade_id = $1 AND ${DUE} ORDER BY s.id`,
    [tradeId, afterSeconds],
  );
  if (rows.length > 0)
    await markReceived(
      tx,
      trade,
      rows.map((row) => row.id),
    );
  return rows.length;
}
