/**
 * Limits and coupons as invariants (P23, design section 9): what is counted is what the orders themselves say. Asked on
 * a system at rest, so every event about an order's end has had its effect.
 */
import type { InvariantQuery } from './invariant-query.ts';

export const PROMISE_INVARIANTS: readonly InvariantQuery[] = [
  {
    invariant: 6,
    sentence: 'a buyer whose open orders are counted wrong',
    sql: `SELECT b.buyer_id::text AS subject, format('counted %s, open %s', b.open_orders, coalesce(t.n, 0)) AS detail
          FROM tinystore_order.buyer_limit b
          LEFT JOIN (SELECT buyer_id, count(*) AS n FROM tinystore_order.trade WHERE status = 'UNPAID' GROUP BY 1) t USING (buyer_id)
          WHERE b.open_orders <> coalesce(t.n, 0)
            AND NOT EXISTS (SELECT FROM tinystore_order.trade p WHERE p.buyer_id = b.buyer_id AND p.status = 'PAID_PENDING')`,
  },
  {
    invariant: 6,
    sentence: 'a buyer whose units of a limited SKU are counted wrong',
    sql: `SELECT concat_ws(' ', b.buyer_id, b.shop_id, b.sku_id) AS subject, format('counted %s, ordered %s', b.units, coalesce(o.units, 0)) AS detail
          FROM tinystore_order.buyer_sku_limit b
          LEFT JOIN LATERAL (
            SELECT sum(l.quantity - CASE WHEN t.status = 'CLOSED' OR t.status = 'REFUNDED' AND t.closed_at IS NOT NULL THEN l.quantity ELSE coalesce(r.units, 0) END) AS units
            FROM tinystore_order.trade t JOIN tinystore_order.shop_order so ON so.trade_id = t.id AND so.shop_id = b.shop_id
            JOIN tinystore_order.order_line l ON l.shop_order_id = so.id AND l.sku_id = b.sku_id
            LEFT JOIN LATERAL (
              SELECT sum((u ->> 'quantity')::bigint) AS units FROM tinystore_order.outbox_event e, jsonb_array_elements(e.payload -> 'units') u
              WHERE e.type = 'REFUND_SUCCEEDED' AND e.key = t.id::text AND u ->> 'shopId' = b.shop_id AND u ->> 'skuId' = b.sku_id) r ON true
            WHERE t.buyer_id = b.buyer_id AND t.created_at >= b.window_start AND t.created_at < b.window_end) o ON true
          WHERE b.units <> coalesce(o.units, 0)`,
  },
  {
    invariant: 6,
    sentence: 'a coupon whose uses are counted wrong, or used more often than it may',
    sql: `SELECT c.code AS subject, format('counted %s of %s, in use %s', c.used, c.usage_limit, coalesce(u.n, 0)) AS detail
          FROM tinystore_order.coupon c
          LEFT JOIN (SELECT coupon_code, count(*) AS n FROM (
              SELECT coupon_code FROM tinystore_order.promotion_lock WHERE NOT remote AND status IN ('LOCKED', 'COMMITTED')
              UNION ALL SELECT coupon_code FROM tinystore_order.coupon_use WHERE status IN ('LOCKED', 'COMMITTED')) x GROUP BY 1) u
            ON u.coupon_code = c.code
          WHERE c.used <> coalesce(u.n, 0) OR c.used > c.usage_limit`,
  },
  {
    invariant: 6,
    sentence: 'a coupon in another state than its order',
    sql: `SELECT p.trade_id::text AS subject, format('%s with the order %s', p.status, t.status) AS detail
          FROM tinystore_order.promotion_lock p JOIN tinystore_order.trade t ON t.id = p.trade_id
          WHERE (t.status = 'UNPAID' AND p.status NOT IN ('PENDING', 'LOCKED'))
             OR (t.status = 'CLOSED' AND p.status NOT IN ('RELEASED', 'REJECTED', 'COMMITTED'))
             OR (t.status IN ('PAID', 'SHIPPED', 'RECEIVED') AND p.status <> 'COMMITTED')`,
  },
  {
    invariant: 10,
    sentence: 'a discount that its shares do not add up to',
    sql: `SELECT t.id::text AS subject, format('order %s, shops %s, lines %s, coupon %s', t.discount_minor, s.shops, s.lines, p.discount_minor) AS detail
          FROM tinystore_order.trade t
          JOIN (SELECT so.trade_id, sum(so.discount_minor) AS shops, sum(so.subtotal_minor) AS paid, sum(l.discount) AS lines,
                       bool_or(so.subtotal_minor <> l.paid OR so.discount_minor <> l.discount) AS differs
                FROM tinystore_order.shop_order so
                JOIN (SELECT shop_order_id, sum(discount_minor) AS discount, sum(quantity * unit_price_minor - discount_minor) AS paid
                      FROM tinystore_order.order_line GROUP BY 1) l ON l.shop_order_id = so.id GROUP BY 1) s ON s.trade_id = t.id
          LEFT JOIN tinystore_order.promotion_lock p ON p.trade_id = t.id
          WHERE s.differs OR s.shops <> t.discount_minor OR s.lines <> t.discount_minor OR s.paid <> t.total_minor
             OR coalesce(p.discount_minor, 0) <> t.discount_minor`,
  },
];
