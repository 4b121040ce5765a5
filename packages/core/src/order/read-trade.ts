/** An order as its page shows it. An UNPAID trade past `pay_until` reads EXPIRED before any job has run (P24). */
import type { PaymentIntentStatus, ReservationStatus, ShopOrderStatus, TradeStatus } from '../domain/index.ts';
import type { Sql } from '../platform/index.ts';
import type { LateCause, LateStatus } from './payment/late/late-payment.ts';
import type { CloseReason } from './trade/lock-trade.ts';

export type ShownTradeStatus = TradeStatus | 'EXPIRED';

export interface TradeSummary {
  readonly id: string;
  readonly status: ShownTradeStatus;
  readonly closeReason: CloseReason | null;
  readonly currency: string;
  readonly totalMinor: number;
  readonly createdAt: Date;
  readonly payUntil: Date;
  readonly serverNow: Date;
}

export interface TradeLineView {
  readonly skuId: string;
  readonly name: string;
  readonly quantity: number;
  readonly unitPriceMinor: number;
  readonly reservationId: string;
  /** PENDING = the ledger has not recorded it yet. */
  readonly reservationStatus: ReservationStatus | 'PENDING';
}

export interface ShopOrderView {
  readonly id: string;
  readonly shopId: string;
  readonly shopName: string;
  readonly status: ShopOrderStatus;
  readonly subtotalMinor: number;
  readonly lines: readonly TradeLineView[];
}

export interface LatePaymentView {
  readonly eventId: string;
  readonly cause: LateCause;
  readonly status: LateStatus;
  readonly amountMinor: number;
  readonly currency: string;
}

export interface TradeView extends TradeSummary {
  readonly buyerId: string;
  readonly email: string | null;
  readonly shipTo: Record<string, string> | null;
  /** What the coupon took off; it is no part of the total. */
  readonly discountMinor: number;
  readonly couponCode: string | null;
  readonly paidAt: Date | null;
  readonly closedAt: Date | null;
  /** The one extension of the time to pay has been used (P40). */
  readonly extended: boolean;
  readonly payment: { readonly intentId: string; readonly status: PaymentIntentStatus; readonly attempt: number };
  readonly shopOrders: readonly ShopOrderView[];
  readonly latePayments: readonly LatePaymentView[];
}

const SUMMARY = `t.id, CASE WHEN t.status = 'UNPAID' AND t.pay_until < ops.clock_now() THEN 'EXPIRED' ELSE t.status END AS status,
  t.close_reason AS "closeReason", t.currency, t.total_minor AS "totalMinor", t.created_at AS "createdAt",
  t.pay_until AS "payUntil", ops.clock_now() AS "serverNow"`;

/** One statement, so that status, rows and money are of one moment. With `buyerId`, only that buyer's own trade. */
export async function readTrade(
  sql: Sql,
  query: { readonly tradeId: string; readonly buyerId?: string },
): Promise<TradeView | null> {
  const { rows } = await sql.query<TradeView>(
    `SELECT ${SUMMARY}, t.buyer_id AS "buyerId", t.email, t.ship_to AS "shipTo", t.discount_minor AS "discountMinor",
       (SELECT c.coupon_code FROM tinystore_order.promotion_lock c WHERE c.trade_id = t.id) AS "couponCode", t.paid_at AS "paidAt", t.closed_at AS "closedAt",
       t.extended_at IS NOT NULL AS extended, json_build_object('intentId', p.id, 'status', p.status, 'attempt', p.attempt) AS payment,
       ${SHOP_ORDERS} AS "shopOrders", ${LATE_PAYMENTS} AS "latePayments"
     FROM tinystore_order.trade t JOIN tinystore_order.payment_intent p ON p.trade_id = t.id
     WHERE t.id = $1 AND ($2::uuid IS NULL OR t.buyer_id = $2)`,
    [query.tradeId, query.buyerId ?? null],
  );
  return rows[0] ?? null;
}

const LINES = `(SELECT coalesce(json_agg(json_build_object(
    'skuId', l.sku_id, 'name', l.name, 'quantity', l.quantity, 'unitPriceMinor', l.unit_price_minor,
    'reservationId', h.reservation_id, 'reservationStatus', coalesce(r.status, 'PENDING')) ORDER BY l.sku_id), '[]')
  FROM tinystore_order.order_line l
  JOIN tinystore_order.order_line_hold h ON h.shop_order_id = l.shop_order_id AND h.sku_id = l.sku_id AND h.state = 'CURRENT'
  LEFT JOIN tinystore_inventory.inventory_reservation r ON r.reservation_id = h.reservation_id
  WHERE l.shop_order_id = s.id)`;

const SHOP_ORDERS = `(SELECT coalesce(json_agg(json_build_object(
    'id', s.id, 'shopId', s.shop_id, 'shopName', coalesce(shop.name, s.shop_id), 'status', s.status,
    'subtotalMinor', s.subtotal_minor, 'lines', ${LINES}) ORDER BY s.shop_id), '[]')
  FROM tinystore_order.shop_order s LEFT JOIN tinystore_order.shop shop ON shop.id = s.shop_id
  WHERE s.trade_id = t.id)`;

const LATE_PAYMENTS = `(SELECT coalesce(json_agg(json_build_object(
    'eventId', m.event_id, 'cause', m.cause, 'status', m.status, 'amountMinor', m.amount_minor, 'currency', m.currency)
    ORDER BY m.created_at, m.event_id), '[]')
  FROM tinystore_order.late_payment m WHERE m.trade_id = t.id)`;

const MOST_TRADES_LISTED = 100;

/** A buyer's trades, newest first, at most 100. */
export async function listTrades(sql: Sql, buyerId: string): Promise<TradeSummary[]> {
  const { rows } = await sql.query<TradeSummary>(
    `SELECT ${SUMMARY} FROM tinystore_order.trade t WHERE t.buyer_id = $1 ORDER BY t.created_at DESC, t.id DESC LIMIT $2`,
    [buyerId, MOST_TRADES_LISTED],
  );
  return rows;
}
