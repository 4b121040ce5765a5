/**
 * promotion.time-out: orders whose coupon nobody has locked in time are cancelled (design section 9). Money that was
 * received in time comes first; a trade in PAID_PENDING is never touched (P40). Oldest first, in batches of one
 * transaction; a batch that fails is done again trade by trade, so that one bad trade fails alone.
 */
import { classifyDatabaseError, type Tx } from '../../platform/index.ts';
import { judgeStored } from '../payment/judge-stored.ts';
import { changeTrades, type TradeDeps } from '../trade/change-trades.ts';
import { closeTrades } from '../trade/close-trades.ts';
import { LOCKED_TRADE_COLUMNS, type LockedTrade } from '../trade/lock-trade.ts';

export interface TimedOutPromotions {
  readonly scanned: number;
  readonly cancelled: number;
  readonly failed: string[];
}

export interface PromotionTimeOut {
  readonly pendingSeconds: number;
  readonly batchSize: number;
  readonly maxBatches: number;
}

export async function timeOutPromotions(deps: TradeDeps, limits: PromotionTimeOut): Promise<TimedOutPromotions> {
  const total = { scanned: 0, cancelled: 0, failed: [] as string[] };
  for (let batch = 0; batch < limits.maxBatches; batch++) {
    const due = await findDue(deps, limits, total.failed);
    if (due.length === 0) break;
    total.scanned += due.length;
    try {
      total.cancelled += await cancel(deps, limits, due);
    } catch (error) {
      if (classifyDatabaseError(error) === 'outage') throw error;
      for (const id of due)
        try {
          total.cancelled += await cancel(deps, limits, [id]);
        } catch (failure) {
          deps.log.warn({ error: String(failure), tradeId: id }, 'an order without its coupon could not be cancelled');
          total.failed.push(id);
        }
    }
    if (due.length < limits.batchSize) break;
  }
  return total;
}

const DUE = `p.status = 'PENDING' AND p.created_at < ops.clock_now() - make_interval(secs => $1) AND t.status || '' = 'UNPAID'`;

async function findDue(
  { pool }: TradeDeps,
  { pendingSeconds, batchSize }: PromotionTimeOut,
  except: readonly string[],
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT t.id FROM tinystore_order.promotion_lock p JOIN tinystore_order.trade t ON t.id = p.trade_id
     WHERE ${DUE} AND t.id <> ALL($2::uuid[]) ORDER BY p.created_at LIMIT $3`,
    [pendingSeconds, except, batchSize],
  );
  return rows.map((row) => row.id);
}

/** Read again under the locks; trades that somebody else is busy with are left to the next run. */
function cancel(deps: TradeDeps, { pendingSeconds }: PromotionTimeOut, ids: readonly string[]): Promise<number> {
  return changeTrades(deps, async (tx: Tx) => {
    const { rows } = await tx.query<LockedTrade>(
      `SELECT ${LOCKED_TRADE_COLUMNS} FROM tinystore_order.trade t JOIN tinystore_order.promotion_lock p ON p.trade_id = t.id
       WHERE ${DUE} AND t.id = ANY($2::uuid[]) ORDER BY t.id FOR UPDATE OF t SKIP LOCKED`,
      [pendingSeconds, ids],
    );
    const unpaid: LockedTrade[] = [];
    for (const locked of rows) {
      const trade = await judgeStored(tx, locked);
      if (trade.status === 'UNPAID') unpaid.push(trade);
    }
    await closeTrades(tx, unpaid, 'PROMOTION_TIMED_OUT');
    return unpaid.length;
  });
}
