/**
 * P26: before money, every line of the trade has its ledger row. Missing ones are recorded by the RESERVE
 * function, so units that the gate admitted and the ledger does not have are found before anybody pays.
 */
import { type Failure, refuse, SHOP_ORDER, sourcesOf } from '../../domain/index.ts';
import { recordReservations } from '../../ledger/index.ts';
import type { Tx } from '../../platform/index.ts';
import { closeTrades } from '../trade/close-trades.ts';
import { type LockedTrade, lockShopOrders } from '../trade/lock-trade.ts';
import { byShopOrder, readHolds, reservedLine } from '../trade/read-holds.ts';

/**
 * True when every line of the locked, UNPAID trade is PRE_DEDUCTED; its shop orders are then RESERVED. False:
 * the ledger refused, or a row has ended already, and the caller closes the trade.
 */
export async function recordBeforePayment(tx: Tx, trade: LockedTrade): Promise<boolean> {
  await lockShopOrders(tx, [trade.id]);
  const before = await readHolds(tx, [trade.id]);
  const missing = new Set(before.filter((hold) => hold.row === null).map((hold) => hold.shopOrderId));
  if (missing.size > 0) {
    const orders = [...byShopOrder(before.filter((hold) => missing.has(hold.shopOrderId)))].map(
      ([shopOrderId, holds]) => ({
        tradeId: trade.id,
        shopOrderId,
        lines: holds.map(reservedLine),
        payUntil: trade.payUntil,
        traceId: trade.id,
      }),
    );
    await recordReservations(tx, orders);
  }
  const after = missing.size > 0 ? await readHolds(tx, [trade.id]) : before;
  if (after.length === 0 || after.some((hold) => hold.row !== 'PRE_DEDUCTED')) return false;
  await tx.query(
    `UPDATE tinystore_order.shop_order SET status = 'RESERVED', version = version + 1
     WHERE trade_id = $1 AND status = ANY($2::text[])`,
    [trade.id, sourcesOf(SHOP_ORDER, 'RESERVED')],
  );
  return true;
}

/** Makes sure of every unit of a locked, UNPAID trade, or closes it and says so. */
export async function closeIfShort(tx: Tx, trade: LockedTrade): Promise<Failure | undefined> {
  if (await recordBeforePayment(tx, trade)) return undefined;
  await closeTrades(tx, [trade], 'OVER_ADMITTED');
  return refuse(
    'SOLD_OUT',
    'The items were sold before the payment began; the order is closed and nothing was charged.',
    { tradeId: trade.id },
  );
}
