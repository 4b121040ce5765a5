/**
 * The inner part of the one end by time (P25): recorded rows end as EXPIRED in this transaction, lines without a
 * row get a RELEASE (TIMED_OUT), the trade closes. Nothing else writes EXPIRED.
 *
 * The caller holds the locks of the trades, has found them UNPAID and past `pay_until`, and has judged or ruled
 * out every notice that was received in time.
 */
import { expireReservations } from '../../ledger/index.ts';
import type { Tx } from '../../platform/index.ts';
import { closeTrades } from './close-trades.ts';
import { type LockedTrade, lockShopOrders } from './lock-trade.ts';

export async function closeByTime(tx: Tx, trades: readonly LockedTrade[]): Promise<void> {
  if (trades.length === 0) return;
  const ids = trades.map((trade) => trade.id);
  await lockShopOrders(tx, ids);
  await expireReservations(tx, ids);
  await closeTrades(tx, trades, 'TIMED_OUT');
}
