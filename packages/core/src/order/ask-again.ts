/**
 * The safe action for an order that stands still: the event it waits for is written once more, made of what order and
 * ledger say now. Whoever applies it is guarded by the state it meets (section 4).
 */
import {
  type Failure,
  type ReservationStatus,
  type ReservedLine,
  refuse,
  type ShopOrderStatus,
} from '../domain/index.ts';
import { appendAudit } from '../ops/index.ts';
import { append, type NewEvent } from '../outbox/index.ts';
import { inTransaction, type Pool, type Sql } from '../platform/index.ts';
import { type Ask, decideAsk } from './decide-ask.ts';
import { lockTrades } from './trade/lock-trade.ts';

export type AskedAgain = { readonly kind: 'asked'; readonly event: Ask } | Failure;

interface Line extends ReservedLine {
  readonly row: ReservationStatus | null;
}

export async function askAgain(
  pool: Pool,
  { shopOrderId, actor, reason }: { readonly shopOrderId: string; readonly actor: string; readonly reason: string },
): Promise<AskedAgain> {
  return inTransaction(pool, async (tx) => {
    const found = await readShopOrder(tx, shopOrderId);
    const [trade] = found ? await lockTrades(tx, [found.tradeId]) : [];
    // Read again: the trade's lock may have been waited for.
    const order = await readShopOrder(tx, shopOrderId);
    if (!trade || !order) return refuse('NOT_FOUND', 'There is no such shop order.');
    const lines = await readLines(tx, shopOrderId);
    const event = decideAsk(
      order.status,
      trade.status,
      lines.map((line) => line.row),
    );
    if (!event)
      return refuse('WRONG_STATE', `This order is ${order.status}; asking again would not help. Close and refund it.`);
    const payload = {
      tradeId: trade.id,
      shopOrderId,
      lines: lines.map(({ row: _row, ...line }) => line),
      payUntil: trade.payUntil,
      reason: trade.closeReason ?? 'ASKED_AGAIN',
    };
    // The schema of the type takes what belongs to it.
    await append(tx, [{ type: event, key: shopOrderId, traceId: trade.id, payload } as NewEvent]);
    await appendAudit(tx, {
      actor,
      action: 'order.ask-again',
      target: shopOrderId,
      reason,
      before: { status: order.status, rows: lines.map((line) => line.row) },
      after: { status: order.status, event },
    });
    return { kind: 'asked', event };
  });
}

async function readShopOrder(
  tx: Sql,
  shopOrderId: string,
): Promise<{ tradeId: string; status: ShopOrderStatus } | undefined> {
  const { rows } = await tx.query<{ tradeId: string; status: ShopOrderStatus }>(
    'SELECT trade_id AS "tradeId", status FROM tinystore_order.shop_order WHERE id = $1',
    [shopOrderId],
  );
  return rows[0];
}

async function readLines(tx: Sql, shopOrderId: string): Promise<Line[]> {
  const { rows } = await tx.query<Line>(
    `SELECT h.reservation_id AS "reservationId", h.shop_id AS "shopId", h.sku_id AS "skuId", h.quantity, r.status AS row
     FROM tinystore_order.order_line_hold h
     LEFT JOIN tinystore_inventory.inventory_reservation r USING (reservation_id)
     WHERE h.shop_order_id = $1 AND h.state = 'CURRENT' ORDER BY h.reservation_id`,
    [shopOrderId],
  );
  return rows;
}
