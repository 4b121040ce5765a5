/**
 * UNPAID -> PAID_PENDING: the money counts, and each shop order asks the ledger to confirm its units by name
 * (P27, P28). The caller holds the trade's lock and has seen every line PRE_DEDUCTED (P26).
 */
import { append, type NewEvent } from '../../outbox/index.ts';
import type { Tx } from '../../platform/index.ts';
import type { LockedTrade } from '../trade/lock-trade.ts';
import { byShopOrder, readHolds, reservedLine } from '../trade/read-holds.ts';

export async function markPaid(tx: Tx, trade: LockedTrade, eventId: string): Promise<void> {
  const { rowCount } = await tx.query(
    `UPDATE tinystore_order.trade t SET status = 'PAID_PENDING', paid_at = e.received_at, version = t.version + 1
     FROM tinystore_order.payment_event e
     WHERE t.id = $1 AND t.status = 'UNPAID' AND e.event_id = $2 AND e.received_at <= t.pay_until`,
    [trade.id, eventId],
  );
  if (rowCount !== 1) throw new Error(`trade ${trade.id} was locked as UNPAID and could not be paid by ${eventId}`);
  await tx.query(
    `UPDATE tinystore_order.shop_order SET status = 'CONFIRMING', version = version + 1
     WHERE trade_id = $1 AND status = 'RESERVED'`,
    [trade.id],
  );
  await askForConfirm(tx, trade.id);
}

/** Each shop order of a trade in PAID_PENDING asks for the units of its present attempt. */
export async function askForConfirm(tx: Tx, tradeId: string): Promise<void> {
  const confirms = [...byShopOrder(await readHolds(tx, [tradeId]))].map(
    ([shopOrderId, holds]): NewEvent => ({
      type: 'INVENTORY_CONFIRM',
      key: shopOrderId,
      traceId: tradeId,
      payload: { tradeId, shopOrderId, lines: holds.map(reservedLine) },
    }),
  );
  await append(tx, confirms);
}
