/**
 * What the ledger's answers mean for orders. Runs in the consumer's transaction, set by set; every UPDATE is
 * guarded by the state it leaves (section 4), so a late or repeated answer changes nothing. Trades are locked
 * first, sorted (P12).
 */
import { type EventPayload, type IncomingEvent, SHOP_ORDER, type ShopOrderStatus, sourcesOf } from '../domain/index.ts';
import { append, type NewEvent } from '../outbox/index.ts';
import type { Tx } from '../platform/index.ts';
import { closeTrades } from './trade/close-trades.ts';
import { type LockedTrade, lockTrades } from './trade/lock-trade.ts';

type Answer =
  | 'INVENTORY_RESERVED'
  | 'INVENTORY_RESERVE_REJECTED'
  | 'INVENTORY_CONFIRMED'
  | 'INVENTORY_CONFIRM_CONFLICT'
  | 'INVENTORY_RELEASED';
type Answered = Extract<IncomingEvent, { type: Answer }>;

/** Events of other types are left alone. */
export async function applyInventoryEvents(tx: Tx, events: readonly IncomingEvent[]): Promise<void> {
  const answers = events.filter(isAnswer);
  if (answers.length === 0) return;
  const trades = await lockTrades(tx, distinct(answers.map((event) => event.payload.tradeId)));
  const of = (type: Answer) => answers.filter((event) => event.type === type).map((event) => event.payload);
  await moveShopOrders(tx, of('INVENTORY_RESERVED'), 'RESERVED');
  await closeOverAdmitted(tx, trades, of('INVENTORY_RESERVE_REJECTED'));
  await payConfirmed(tx, of('INVENTORY_CONFIRMED'));
  // After a conflict the ledger has closed the trade and ended its rows in its own transaction (P27).
  await releaseShopOrders(tx, [
    ...of('INVENTORY_RELEASED'),
    ...of('INVENTORY_CONFIRM_CONFLICT'),
    ...of('INVENTORY_RESERVE_REJECTED'),
  ]);
}

function isAnswer(event: IncomingEvent): event is Answered {
  switch (event.type) {
    case 'INVENTORY_RESERVED':
    case 'INVENTORY_RESERVE_REJECTED':
    case 'INVENTORY_CONFIRMED':
    case 'INVENTORY_CONFIRM_CONFLICT':
    case 'INVENTORY_RELEASED':
      return true;
    default:
      return false;
  }
}

type Named = Pick<EventPayload<'INVENTORY_RESERVED'>, 'tradeId' | 'shopOrderId'>;

async function moveShopOrders(tx: Tx, named: readonly Named[], to: ShopOrderStatus): Promise<void> {
  if (named.length === 0) return;
  await tx.query(
    `UPDATE tinystore_order.shop_order SET status = $2, version = version + 1
     WHERE id = ANY($1::uuid[]) AND status = ANY($3::text[])`,
    [named.map((payload) => payload.shopOrderId), to, sourcesOf(SHOP_ORDER, to)],
  );
}

/** An unpaid trade stands or falls whole (P29): one refused shop order closes it and frees the others. */
async function closeOverAdmitted(tx: Tx, trades: readonly LockedTrade[], rejected: readonly Named[]): Promise<void> {
  const ids = new Set(rejected.map((payload) => payload.tradeId));
  await closeTrades(
    tx,
    trades.filter((trade) => ids.has(trade.id) && trade.status === 'UNPAID'),
    'OVER_ADMITTED',
  );
}

/** PAID, and TRADE_PAID, only once every shop order that is not given back is CONFIRMED. */
async function payConfirmed(tx: Tx, confirmed: readonly Named[]): Promise<void> {
  if (confirmed.length === 0) return;
  await moveShopOrders(tx, confirmed, 'CONFIRMED');
  const { rows } = await tx.query<{ tradeId: string; buyerId: string }>(
    `UPDATE tinystore_order.trade t SET status = 'PAID', version = t.version + 1
     WHERE t.id = ANY($1::uuid[]) AND t.status = 'PAID_PENDING'
       AND EXISTS (SELECT 1 FROM tinystore_order.shop_order s WHERE s.trade_id = t.id AND s.status = 'CONFIRMED')
       AND NOT EXISTS (SELECT 1 FROM tinystore_order.shop_order s
                       WHERE s.trade_id = t.id AND s.status NOT IN ('CONFIRMED', 'RELEASED', 'REFUNDED'))
     RETURNING t.id AS "tradeId", t.buyer_id AS "buyerId"`,
    [distinct(confirmed.map((payload) => payload.tradeId))],
  );
  if (rows.length === 0) return;
  await append(
    tx,
    rows.map((payload): NewEvent => ({ type: 'TRADE_PAID', key: payload.tradeId, traceId: payload.tradeId, payload })),
  );
}

/** Only of closed trades, perhaps with their money back already, and only when no row of the shop order is missing or still PRE_DEDUCTED (P2). */
async function releaseShopOrders(tx: Tx, ended: readonly Named[]): Promise<void> {
  if (ended.length === 0) return;
  await tx.query(
    `UPDATE tinystore_order.shop_order s SET status = 'RELEASED', version = s.version + 1
     FROM tinystore_order.trade t
     WHERE s.id = ANY($1::uuid[]) AND s.status = ANY($2::text[]) AND t.id = s.trade_id AND t.status IN ('CLOSED', 'REFUNDED')
       AND NOT EXISTS (
         SELECT 1 FROM tinystore_order.order_line_hold h
         LEFT JOIN tinystore_inventory.inventory_reservation r ON r.reservation_id = h.reservation_id
         WHERE h.shop_order_id = s.id AND h.state = 'CURRENT' AND coalesce(r.status, 'PRE_DEDUCTED') = 'PRE_DEDUCTED')`,
    [ended.map((payload) => payload.shopOrderId), sourcesOf(SHOP_ORDER, 'RELEASED')],
  );
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}
