/**
 * The one end by time (P25), called by reservation.expire and order.time-out alike; the second to come finds
 * nothing to do. Oldest first, in pages of one transaction. A page that fails is done again trade by trade, so
 * one bad trade fails alone and is tried again in the next run (C29).
 */
import { classifyDatabaseError, inTransaction, type Tx } from '../platform/index.ts';
import { type TradeDeps, wakeAfterChange } from './trade/change-trades.ts';
import { closeByTime } from './trade/close-by-time.ts';
import { LOCKED_TRADE_COLUMNS, type LockedTrade } from './trade/lock-trade.ts';

const PAGE = 100;

export interface EndedByTime {
  readonly ended: number;
  /** Trades that could not be ended in this run. */
  readonly failed: string[];
}

/** Ends up to `limit` trades. */
export async function endByTime(deps: TradeDeps, { limit }: { readonly limit: number }): Promise<EndedByTime> {
  let ended = 0;
  const failed: string[] = [];
  for (let left = limit; left > 0; ) {
    const page = await endPage(deps, Math.min(PAGE, left), failed);
    if (page.tried === 0) break;
    if (page.ended > 0) wakeAfterChange(deps);
    ended += page.ended;
    failed.push(...page.failed);
    left -= page.tried;
  }
  if (failed.length > 0) deps.log.error({ failed }, 'trades past their time that could not be ended');
  return { ended, failed };
}

/** Ends one trade if its time is over and it was not paid in time; false when there was nothing to end. */
export async function endTradeByTime(deps: TradeDeps, tradeId: string): Promise<boolean> {
  const ended = await inTransaction(deps.pool, async (tx) =>
    endClaimed(tx, await claimDue(tx, { size: 1, except: [], only: tradeId })),
  );
  if (ended > 0) wakeAfterChange(deps);
  return ended > 0;
}

interface Page extends EndedByTime {
  readonly tried: number;
}

async function endPage(deps: TradeDeps, size: number, except: readonly string[]): Promise<Page> {
  let claimed: string[] = [];
  try {
    const ended = await inTransaction(deps.pool, async (tx) => {
      const due = await claimDue(tx, { size, except });
      claimed = due.map((trade) => trade.id);
      return endClaimed(tx, due);
    });
    return { tried: claimed.length, ended, failed: [] };
  } catch (error) {
    passOnlyFaultOfOne(error, claimed);
    return endOneByOne(deps, claimed);
  }
}

async function endOneByOne(deps: TradeDeps, tradeIds: readonly string[]): Promise<Page> {
  let ended = 0;
  const failed: string[] = [];
  for (const id of tradeIds)
    try {
      ended += await inTransaction(deps.pool, async (tx) =>
        endClaimed(tx, await claimDue(tx, { size: 1, except: [], only: id })),
      );
    } catch (error) {
      passOnlyFaultOfOne(error, tradeIds);
      deps.log.warn({ error, tradeId: id }, 'a trade past its time could not be ended');
      failed.push(id);
    }
  return { tried: tradeIds.length, ended, failed };
}

/** A lost or absent database is nobody's fault: the run ends. So does one that has nothing to go on with. */
function passOnlyFaultOfOne(error: unknown, claimed: readonly string[]): void {
  const kind = classifyDatabaseError(error);
  if (claimed.length === 0 || kind === 'outage') throw error;
}

/** Locked trades are somebody's present business: they are skipped and looked at in the next run. */
async function claimDue(
  tx: Tx,
  wanted: { readonly size: number; readonly except: readonly string[]; readonly only?: string },
): Promise<LockedTrade[]> {
  const { rows } = await tx.query<LockedTrade>(
    `SELECT ${LOCKED_TRADE_COLUMNS} FROM tinystore_order.trade t
     WHERE t.status = 'UNPAID' AND t.pay_until < ops.clock_now()
       AND t.id <> ALL($2::uuid[]) AND ($3::uuid IS NULL OR t.id = $3) AND NOT ${PAID_IN_TIME}
     ORDER BY t.pay_until LIMIT $1 FOR UPDATE OF t SKIP LOCKED`,
    [wanted.size, wanted.except, wanted.only ?? null],
  );
  return rows;
}

const PAID_IN_TIME = `EXISTS (SELECT 1 FROM tinystore_order.payment_event e
  WHERE e.trade_id = t.id AND e.kind = 'SUCCEEDED' AND e.judged_at IS NULL AND e.received_at <= t.pay_until)`;

/** Looks for notices once more now that the locks are held: one may have been stored since the claim began. */
async function endClaimed(tx: Tx, due: readonly LockedTrade[]): Promise<number> {
  if (due.length === 0) return 0;
  const { rows } = await tx.query<{ id: string }>(
    `SELECT t.id FROM tinystore_order.trade t WHERE t.id = ANY($1::uuid[]) AND ${PAID_IN_TIME}`,
    [due.map((trade) => trade.id)],
  );
  const paid = new Set(rows.map((row) => row.id));
  const unpaid = due.filter((trade) => !paid.has(trade.id));
  await closeByTime(tx, unpaid);
  return unpaid.length;
}
