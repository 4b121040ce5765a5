/**
 * Closes unpaid trades whole (P29): trade CLOSED, intent CLOSED, and every unit on its way back. A shop order
 * whose ledger rows are all final is RELEASED at once; any other is RELEASING until the ledger has answered the
 * RELEASE that is sent here for the lines that are still held.
 *
 * The caller holds the locks of the trades. Reasons: cancel, end by time, over-admission.
 */
import { PAYMENT_INTENT, SHOP_ORDER, type ShopOrderStatus, sourcesOf } from '../../domain/index.ts';
import { append, type NewEvent } from '../../outbox/index.ts';
import type { Tx } from '../../platform/index.ts';
import type { CloseReason, LockedTrade } from './lock-trade.ts';
import { byShopOrder, isOpen, readHolds, reservedLine, type TradeHold } from './read-holds.ts';

export async function closeTrades(tx: Tx, trades: readonly LockedTrade[], reason: CloseReason): Promise<void> {
  if (trades.length === 0) return;
  const ids = trades.map((trade) => trade.id);
  const { rowCount } = await tx.query(
    `UPDATE tinystore_order.trade
     SET status = 'CLOSED', close_reason = $2, closed_at = ops.clock_now(), version = version + 1
     WHERE id = ANY($1::uuid[]) AND status || '' = 'UNPAID'`,
    [ids, reason],
  );
  if (rowCount !== ids.length) throw new Error(`${ids.length} locked UNPAID trades to close, found ${rowCount}`);
  await tx.query(
    `UPDATE tinystore_order.payment_intent SET status = 'CLOSED', updated_at = ops.clock_now()
     WHERE trade_id = ANY($1::uuid[]) AND status = ANY($2::text[])`,
    [ids, sourcesOf(PAYMENT_INTENT, 'CLOSED')],
  );
  const held = byShopOrder((await readHolds(tx, ids)).filter(isOpen));
  await moveShopOrders(tx, ids, [...held.keys()]);
  await append(tx, [...releases(held, reason), ...trades.map((trade) => closed(trade, reason))]);
}

async function moveShopOrders(tx: Tx, tradeIds: string[], heldIds: string[]): Promise<void> {
  const to = (status: ShopOrderStatus, condition: string) =>
    tx.query(
      `UPDATE tinystore_order.shop_order SET status = $3, version = version + 1
       WHERE trade_id = ANY($1::uuid[]) AND status = ANY($4::text[]) AND ${condition}`,
      [tradeIds, heldIds, status, sourcesOf(SHOP_ORDER, status)],
    );
  await to('RELEASED', 'id <> ALL($2::uuid[])');
  await to('RELEASING', 'id = ANY($2::uuid[])');
}

function releases(held: Map<string, TradeHold[]>, reason: CloseReason): NewEvent[] {
  return [...held].map(([shopOrderId, holds]) => {
    const tradeId = holds[0]?.tradeId ?? '';
    return {
      type: 'INVENTORY_RELEASE',
      key: shopOrderId,
      traceId: tradeId,
      payload: { tradeId, shopOrderId, lines: holds.map(reservedLine), reason },
    };
  });
}

function closed(trade: LockedTrade, reason: CloseReason): NewEvent {
  const { id: tradeId, buyerId, payUntil } = trade;
  return { type: 'TRADE_CLOSED', key: tradeId, traceId: tradeId, payload: { tradeId, buyerId, payUntil, reason } };
}
