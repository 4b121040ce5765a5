/**
 * Invariants 4, 6, 8, 10 and 11 of design section 12 as queries over orders, events, money and the operators' logs:
 * each row found is a violation. Sent events are pruned after days, so they are asked of younger orders only.
 */
import type { InvariantQuery } from './invariant-query.ts';

const YOUNG = `interval '6 days'`;

/** Which consumer applies which event; a row sent by the relay must be in its inbox or among its dead letters. */
const CONSUMERS: readonly (readonly [consumer: string, types: readonly string[]])[] = [
  ['ledger', ['INVENTORY_RESERVE_DB', 'INVENTORY_CONFIRM', 'INVENTORY_RELEASE']],
  [
    'order',
    [
      'INVENTORY_RESERVED',
      'INVENTORY_RESERVE_REJECTED',
      'INVENTORY_CONFIRMED',
      'INVENTORY_CONFIRM_CONFLICT',
      'INVENTORY_RELEASED',
    ],
  ],
  ['order.limits', ['TRADE_PAID', 'TRADE_CLOSED', 'REFUND_SUCCEEDED']],
  ['promotion', ['PROMOTION_LOCK', 'PROMOTION_COMMIT', 'PROMOTION_RELEASE']],
  ['order.promotion', ['TRADE_PAID', 'TRADE_CLOSED', 'PROMOTION_LOCKED', 'PROMOTION_REJECTED']],
];
const EXPECTED = CONSUMERS.flatMap(([consumer, types]) => types.map((type) => `('${consumer}', '${type}')`)).join(', ');

/** Sent by the relay, but its consumer has neither an inbox row nor a dead letter for it. */
export const UNCONSUMED = `
  SELECT o.event_id, o.type, c.consumer FROM tinystore_order.outbox_event o
  JOIN tinystore_order.outbox_sent s ON s.id = o.id
  JOIN (VALUES ${EXPECTED}) AS c(consumer, type) ON c.type = o.type
  WHERE s.partition >= 0 AND s.sent_at > ops.clock_now() - ${YOUNG}
    AND NOT EXISTS (SELECT FROM tinystore_inventory.inbox_event i WHERE i.consumer = c.consumer AND i.event_id = o.event_id)
    AND NOT EXISTS (SELECT FROM tinystore_inventory.dead_letter d WHERE d.consumer = c.consumer AND d.event_id = o.event_id)`;

/** Payments that their order lives on: judged as paying it, or late and its revive (P28). A conflict takes that away. */
const PAYING = `(SELECT e.event_id, e.trade_id, e.amount_minor, e.currency FROM tinystore_order.payment_event e
  LEFT JOIN tinystore_order.late_payment m ON m.event_id = e.event_id
  WHERE (e.verdict = 'PAID' AND m.event_id IS NULL) OR (e.verdict IN ('PAID', 'LATE') AND m.status = 'REVIVED'))`;

export const ORDER_INVARIANTS: readonly InvariantQuery[] = [
  {
    invariant: 4,
    sentence: 'a shop order whose state its ledger rows do not bear out',
    sql: `SELECT so.id::text AS subject, format('%s with rows %s', so.status, string_agg(DISTINCT coalesce(r.status, 'none'), ', ')) AS detail
          FROM tinystore_order.shop_order so
          JOIN tinystore_order.order_line_hold h ON h.shop_order_id = so.id AND h.state = 'CURRENT'
          LEFT JOIN tinystore_inventory.inventory_reservation r USING (reservation_id)
          WHERE so.status NOT IN ('RESERVING', 'RELEASING')
          GROUP BY so.id, so.status
          HAVING bool_or(NOT CASE
            WHEN so.status IN ('RESERVED', 'CONFIRMING') THEN coalesce(r.status, 'none') IN ('PRE_DEDUCTED', 'CONFIRMED')
            WHEN so.status = 'RELEASED' THEN coalesce(r.status, 'none') IN ('RELEASED', 'EXPIRED')
            ELSE coalesce(r.status, 'none') = 'CONFIRMED' END)`,
  },
  {
    invariant: 6,
    sentence: 'one idempotency key with several orders, or one cart with several unpaid ones',
    sql: `SELECT buyer_id || ' ' || idempotency_key AS subject, format('%s orders', count(*)) AS detail
          FROM tinystore_order.trade GROUP BY buyer_id, idempotency_key HAVING count(*) > 1
          UNION ALL
          SELECT buyer_id || ' cart ' || cart_id, format('%s unpaid orders', count(*)) FROM tinystore_order.trade
          WHERE status = 'UNPAID' AND cart_id IS NOT NULL GROUP BY buyer_id, cart_id HAVING count(*) > 1`,
  },
  {
    invariant: 8,
    sentence: 'an event that is neither sent nor parked with its reason',
    sql: `SELECT event_id::text AS subject, format('%s %s', type, status) AS detail FROM tinystore_order.outbox
          WHERE status IS NULL OR status = 'PENDING' OR (status = 'PARKED' AND parked_reason = '')`,
  },
  {
    invariant: 8,
    sentence: 'a sent event that its consumer never applied',
    sql: `SELECT event_id::text AS subject, consumer || ' ' || type AS detail FROM (${UNCONSUMED}) u`,
  },
  {
    invariant: 8,
    sentence: 'an effect of an event that nobody wrote',
    sql: `SELECT i.event_id::text AS subject, i.consumer AS detail FROM tinystore_inventory.inbox_event i
          WHERE i.processed_at > ops.clock_now() - ${YOUNG} AND NOT EXISTS (SELECT FROM tinystore_order.outbox_event o WHERE o.event_id = i.event_id)`,
  },
  {
    invariant: 8,
    sentence: 'an order without the events or the payment intent of its transaction',
    // Anti-joins, not a look for each trade: the outbox has no index on its key.
    sql: `SELECT t.id::text AS subject, w.type AS detail
          FROM tinystore_order.trade t
          CROSS JOIN (VALUES ('TRADE_CREATED'), ('ORDER_CREATED'), ('PAYMENT_INTENT_CREATED')) AS w(type)
          WHERE t.created_at > ops.clock_now() - ${YOUNG}
            AND NOT EXISTS (SELECT FROM tinystore_order.outbox_event o WHERE o.key = t.id::text AND o.type = w.type)
          UNION ALL
          SELECT t.id::text, 'payment_intent' FROM tinystore_order.trade t
          WHERE t.created_at > ops.clock_now() - ${YOUNG}
            AND NOT EXISTS (SELECT FROM tinystore_order.payment_intent p WHERE p.trade_id = t.id)
          UNION ALL
          SELECT so.trade_id::text, 'INVENTORY_RESERVE_DB of shop order ' || so.id FROM tinystore_order.shop_order so
          WHERE so.created_at > ops.clock_now() - ${YOUNG}
            AND EXISTS (SELECT FROM tinystore_order.order_line_hold h WHERE h.shop_order_id = so.id AND h.gate_mode = 'REDIS')
            AND NOT EXISTS (SELECT FROM tinystore_order.outbox_event o
                            WHERE o.key = so.id::text AND o.type = 'INVENTORY_RESERVE_DB')`,
  },
  {
    invariant: 10,
    sentence: 'a payment of another amount than its order',
    sql: `SELECT e.event_id AS subject, format('%s %s paid, %s %s ordered', e.amount_minor, e.currency, t.total_minor, t.currency) AS detail
          FROM ${PAYING} e JOIN tinystore_order.trade t ON t.id = e.trade_id
          WHERE (e.amount_minor IS DISTINCT FROM t.total_minor OR e.currency IS DISTINCT FROM t.currency)
          UNION ALL
          SELECT t.id::text, format('intent %s, lines %s, order %s', p.amount_minor, l.sum, t.total_minor) FROM tinystore_order.trade t
          JOIN tinystore_order.payment_intent p ON p.trade_id = t.id
          JOIN (SELECT so.trade_id, sum(l.quantity * l.unit_price_minor - l.discount_minor) AS sum FROM tinystore_order.shop_order so
                JOIN tinystore_order.order_line l ON l.shop_order_id = so.id GROUP BY 1) l ON l.trade_id = t.id
          WHERE p.amount_minor <> t.total_minor OR l.sum <> t.total_minor`,
  },
  {
    invariant: 10,
    sentence: 'an order paid by several payments',
    sql: `SELECT trade_id::text AS subject, format('%s payments', count(*)) AS detail FROM ${PAYING} e
          GROUP BY trade_id HAVING count(*) > 1`,
  },
  {
    invariant: 10,
    sentence: 'a paid order that is not confirmed, or confirmed units that nobody paid',
    sql: `SELECT t.id::text AS subject, format('%s with %s of %s lines confirmed, paid %s', t.status, c.confirmed, c.lines, p.paid) AS detail
          FROM tinystore_order.trade t
          JOIN (SELECT h.trade_id, count(*) AS lines, count(*) FILTER (WHERE r.status = 'CONFIRMED') AS confirmed
                FROM tinystore_order.order_line_hold h LEFT JOIN tinystore_inventory.inventory_reservation r USING (reservation_id)
                WHERE h.state = 'CURRENT' GROUP BY 1) c ON c.trade_id = t.id
          CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM ${PAYING} e WHERE e.trade_id = t.id) AS paid) p
          WHERE (t.status IN ('PAID', 'SHIPPED', 'RECEIVED') AND c.confirmed < c.lines) OR (c.confirmed > 0 AND NOT p.paid)
            OR (t.status IN ('PAID_PENDING', 'PAID', 'SHIPPED', 'RECEIVED') AND NOT p.paid)`,
  },
  {
    invariant: 10,
    sentence: 'money that bought nothing and is not openly due back',
    sql: `SELECT e.event_id AS subject, format('%s, order %s', e.verdict, t.status) AS detail
          FROM tinystore_order.payment_event e LEFT JOIN tinystore_order.trade t ON t.id = e.trade_id
          WHERE (e.verdict IN ('LATE', 'SECOND') OR (e.verdict = 'PAID' AND t.status = 'CLOSED'))
            AND NOT EXISTS (SELECT FROM tinystore_order.late_payment l WHERE l.event_id = e.event_id)
            AND NOT EXISTS (SELECT FROM tinystore_order.refund r WHERE r.event_id = e.event_id)
          UNION ALL
          SELECT e.event_id, 'AMOUNT_DIFFERS' FROM tinystore_order.payment_event e
          WHERE e.verdict = 'AMOUNT_DIFFERS' AND e.amount_minor IS NOT NULL AND e.currency IS NOT NULL
            AND NOT EXISTS (SELECT FROM tinystore_order.late_payment l WHERE l.event_id = e.event_id)
          UNION ALL
          SELECT e.event_id, e.verdict || ' without its incident' FROM tinystore_order.payment_event e
          WHERE e.kind = 'SUCCEEDED' AND e.verdict IN ('AMOUNT_DIFFERS', 'UNMATCHED')
            AND NOT EXISTS (SELECT FROM ops.incident i WHERE i.kind IN ('AMOUNT_MISMATCH', 'UNMATCHED_PAYMENT') AND (i.subject = e.event_id OR i.detail::text LIKE '%' || e.event_id || '%'))`,
  },
  {
    invariant: 10,
    sentence: 'a notice of a payment that is still not judged, or an order stuck on its way to paid',
    sql: `SELECT event_id AS subject, 'not judged' AS detail FROM tinystore_order.payment_event WHERE judged_at IS NULL
          UNION ALL SELECT id::text, 'PAID_PENDING' FROM tinystore_order.trade WHERE status = 'PAID_PENDING'`,
  },
  {
    invariant: 11,
    sentence: 'an operator action or a repair that does not say who and why',
    sql: `SELECT 'audit ' || id AS subject, action AS detail FROM ops.audit_log WHERE btrim(actor) = '' OR btrim(reason) = '' OR btrim(action) = ''
          UNION ALL
          SELECT 'reconcile ' || id, kind FROM tinystore_inventory.inventory_reconcile_log
          WHERE kind = 'REPAIR' AND (btrim(actor) = '' OR btrim(cause) = '' OR before IN ('{}', 'null') OR after IN ('{}', 'null'))
          UNION ALL
          SELECT 'incident ' || id, kind FROM ops.incident WHERE status = 'CLOSED' AND (closed_at IS NULL OR coalesce(btrim(closed_by), '') = '')`,
  },
  {
    invariant: 11,
    sentence: 'a stock change made by people without an audit entry',
    sql: `SELECT o.id::text AS subject, o.kind || ' by ' || o.actor AS detail FROM tinystore_inventory.stock_operation o
          WHERE o.reason <> 'booked before operations were kept'
            AND NOT EXISTS (SELECT FROM ops.audit_log a WHERE a.target = o.shop_id || '/' || o.sku_id AND a.actor = o.actor
                            AND a.reason = o.reason AND a.after->>'operationId' = o.id::text)`,
  },
  {
    invariant: 11,
    sentence: 'an order cancelled by an operator without an audit entry',
    sql: `SELECT t.id::text AS subject, t.close_reason AS detail FROM tinystore_order.trade t
          WHERE t.close_reason = 'OPERATOR_CANCELLED' AND NOT EXISTS (SELECT FROM ops.audit_log a WHERE a.target = t.id::text)`,
  },
];
