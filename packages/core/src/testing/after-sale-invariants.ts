/**
 * Invariants 2, 10 and 11 of design section 12 for what happens after the sale: returns, restocked units, refunds, and
 * the states that follow them (P29, P31). Each row found is a violation.
 */
import type { InvariantQuery } from './invariant-query.ts';

export const AFTER_SALE_INVARIANTS: readonly InvariantQuery[] = [
  {
    invariant: 2,
    sentence: 'a restocked return and its one movement do not match',
    sql: `SELECT coalesce(i.id, m.operation_id)::text AS subject,
            format('return %s/%s x%s, movement %s/%s x%s', i.shop_id, i.sku_id, i.quantity, m.shop_id, m.sku_id, m.quantity) AS detail
          FROM (SELECT i.id, s.shop_id, i.sku_id, i.quantity FROM tinystore_order.return_item i
                JOIN tinystore_order.shop_order s ON s.id = i.shop_order_id WHERE i.units = 'RESTOCK') i
          FULL JOIN (SELECT * FROM tinystore_inventory.stock_movement WHERE kind = 'RESTOCK') m ON m.operation_id = i.id
          WHERE i.quantity::bigint IS DISTINCT FROM m.quantity OR i.shop_id <> m.shop_id OR i.sku_id <> m.sku_id`,
  },
  {
    invariant: 10,
    sentence: 'a line that does not say what came back of it and what was paid back for it',
    sql: `SELECT l.shop_order_id || '/' || l.sku_id AS subject,
            format('sold %s, returned %s of %s, restocked %s of %s, refunded %s of %s', l.quantity, l.returned_quantity, i.returned,
              l.restocked_quantity, i.restocked, l.refunded_minor, f.minor) AS detail
          FROM tinystore_order.order_line l
          CROSS JOIN LATERAL (SELECT coalesce(sum(quantity), 0) AS returned, coalesce(sum(quantity) FILTER (WHERE units = 'RESTOCK'), 0) AS restocked
                              FROM tinystore_order.return_item i WHERE i.shop_order_id = l.shop_order_id AND i.sku_id = l.sku_id AND i.units IS NOT NULL) i
          CROSS JOIN LATERAL (SELECT coalesce(sum(amount_minor), 0) AS minor FROM tinystore_order.refund_line f
                              WHERE f.shop_order_id = l.shop_order_id AND f.sku_id = l.sku_id) f
          WHERE l.returned_quantity <> i.returned OR l.restocked_quantity <> i.restocked OR l.refunded_minor <> f.minor
            OR i.returned > l.quantity OR f.minor > l.quantity * l.unit_price_minor - l.discount_minor`,
  },
  {
    invariant: 10,
    sentence: 'a refund of lines whose parts are not its amount, or units paid back by another refund than their own',
    sql: `SELECT r.id::text AS subject, format('%s, lines %s', r.amount_minor, f.minor) AS detail
          FROM tinystore_order.refund r
          LEFT JOIN (SELECT refund_id, sum(amount_minor) AS minor FROM tinystore_order.refund_line GROUP BY 1) f ON f.refund_id = r.id
          WHERE CASE WHEN r.cause = 'CUSTOMER' THEN f.minor IS DISTINCT FROM r.amount_minor ELSE f.minor IS NOT NULL END
          UNION ALL
          SELECT i.id::text, format('%s with refund %s %s', i.status, i.refund_id, r.status) FROM tinystore_order.return_item i
          LEFT JOIN tinystore_order.refund r ON r.id = i.refund_id
          WHERE (i.status = 'REFUNDED' AND i.refund_id IS NOT NULL AND r.status IS DISTINCT FROM 'SUCCEEDED')
            OR (i.status = 'RECEIVED' AND r.status IS NOT DISTINCT FROM 'SUCCEEDED') OR (i.status = 'RECEIVED' AND i.refund_id IS NULL)`,
  },
  {
    invariant: 10,
    sentence: 'more money asked back than its payment brought',
    sql: `SELECT r.event_id AS subject, format('%s asked back, %s paid', r.asked, e.amount_minor) AS detail
          FROM (SELECT event_id, sum(amount_minor) AS asked, count(DISTINCT currency) AS currencies, min(currency) AS currency
                FROM tinystore_order.refund GROUP BY 1) r
          LEFT JOIN tinystore_order.payment_event e USING (event_id)
          WHERE r.asked > coalesce(e.amount_minor, 0) OR r.currencies > 1 OR r.currency IS DISTINCT FROM e.currency`,
  },
  {
    invariant: 10,
    sentence: 'a shop order that is REFUNDED without all its money being back, or the other way round',
    sql: `SELECT s.id::text AS subject, format('%s, %s of %s is back', s.status, b.back, b.paid) AS detail
          FROM tinystore_order.shop_order s
          CROSS JOIN LATERAL (
            SELECT (SELECT coalesce(sum(r.amount_minor), 0) FROM tinystore_order.refund r
                    WHERE r.shop_order_id = s.id AND r.status = 'SUCCEEDED' AND r.cause = 'CUSTOMER') AS back,
                   (SELECT sum(l.quantity * l.unit_price_minor - l.discount_minor) FROM tinystore_order.order_line l WHERE l.shop_order_id = s.id) AS paid,
                   (SELECT bool_and(l.returned_quantity = l.quantity) FROM tinystore_order.order_line l WHERE l.shop_order_id = s.id) AS returned) b
          WHERE (s.status = 'REFUNDED') <> (b.back = b.paid AND (b.paid > 0 OR b.returned))`,
  },
  {
    invariant: 10,
    sentence: 'a paid trade that does not follow its shop orders (P29)',
    sql: `SELECT t.id::text AS subject, format('%s with %s', t.status, s.states) AS detail
          FROM tinystore_order.trade t
          JOIN (SELECT trade_id, string_agg(status, ', ') AS states, bool_and(status = 'REFUNDED') AS refunded,
                  bool_and(status IN ('RECEIVED', 'REFUNDED')) AS received, bool_and(status IN ('SHIPPED', 'RECEIVED', 'REFUNDED')) AS shipped,
                  bool_or(status IN ('CONFIRMED', 'SHIPPED', 'RECEIVED', 'REFUNDED')) AS sold
                FROM tinystore_order.shop_order GROUP BY 1) s ON s.trade_id = t.id
          WHERE t.status <> 'PAID_PENDING' AND (s.sold OR t.status IN ('PAID', 'SHIPPED', 'RECEIVED'))
            AND t.status <> CASE WHEN s.refunded THEN 'REFUNDED' WHEN s.received THEN 'RECEIVED' WHEN s.shipped THEN 'SHIPPED' ELSE 'PAID' END`,
  },
  {
    invariant: 10,
    sentence: 'a REFUNDED trade whose payment is not all back',
    sql: `SELECT t.id::text AS subject, format('paid %s, back %s', t.total_minor, b.back) AS detail
          FROM tinystore_order.trade t
          CROSS JOIN LATERAL (SELECT coalesce(max(sum), 0) AS back FROM (
            SELECT sum(amount_minor) FROM tinystore_order.refund r WHERE r.trade_id = t.id AND r.status = 'SUCCEEDED' GROUP BY r.event_id) e) b
          WHERE t.status = 'REFUNDED' AND b.back < t.total_minor`,
  },
  {
    invariant: 11,
    sentence: 'units or money that an operator gave back without an audit entry',
    sql: `SELECT c.trade_id::text AS subject, c.idempotency_key AS detail FROM tinystore_order.after_sale_command c
          WHERE c.answer->>'kind' = 'refunded' AND NOT EXISTS (SELECT FROM ops.audit_log a WHERE a.target = c.trade_id::text AND a.action = 'order.refund')`,
  },
  {
    invariant: 5,
    sentence: 'the guard of refunds that have succeeded is not in force',
    sql: `SELECT 'refund_final' AS subject, 'trigger missing or disabled' AS detail
          WHERE NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgname = 'refund_final' AND t.tgenabled = 'O')`,
  },
];
