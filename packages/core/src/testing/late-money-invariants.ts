/** Invariant 10 for late money (P28, P30) as queries: each row found is a violation. */
import type { InvariantQuery } from './invariant-query.ts';

export const LATE_MONEY_INVARIANTS: readonly InvariantQuery[] = [
  {
    invariant: 10,
    sentence: 'late money whose state nothing bears out',
    sql: `SELECT l.event_id AS subject, format('%s %s, order %s, refund %s of %s', l.cause, l.status, t.status, r.amount_minor, l.amount_minor) AS detail
          FROM tinystore_order.late_payment l
          JOIN tinystore_order.payment_event e ON e.event_id = l.event_id
          LEFT JOIN tinystore_order.trade t ON t.id = l.trade_id
          LEFT JOIN tinystore_order.refund r ON r.id = l.refund_id
          WHERE NOT CASE
              WHEN l.status = 'REVIVED' THEN t.status NOT IN ('UNPAID', 'CLOSED')
              WHEN l.status IN ('OPEN', 'REVIVING') THEN l.refund_id IS NULL
              WHEN l.status = 'REFUND_DUE' AND l.refund_id IS NULL THEN true
              ELSE r.event_id = l.event_id AND r.amount_minor = l.amount_minor AND r.currency = l.currency
                AND (l.status = 'REFUND_DUE' OR r.status = 'SUCCEEDED') END
            OR (l.ended_at IS NOT NULL) <> (l.status IN ('REVIVED', 'REFUNDED'))
            OR l.amount_minor IS DISTINCT FROM e.amount_minor OR l.currency IS DISTINCT FROM e.currency`,
  },
  {
    invariant: 10,
    sentence: 'late money that nobody is told of, or an incident of late money that has ended',
    sql: `SELECT l.event_id AS subject, format('%s %s', l.cause, l.status) AS detail
          FROM tinystore_order.late_payment l
          WHERE (l.status IN ('REVIVED', 'REFUNDED')) = EXISTS (
            SELECT FROM ops.incident i WHERE i.status = 'OPEN'
              AND i.subject = CASE l.cause WHEN 'CONFIRM_CONFLICT' THEN l.trade_id::text ELSE l.event_id END
              AND i.kind = CASE l.cause WHEN 'LATE' THEN 'LATE_MONEY' WHEN 'SECOND' THEN 'SECOND_PAYMENT'
                WHEN 'AMOUNT_DIFFERS' THEN 'AMOUNT_MISMATCH' WHEN 'UNMATCHED' THEN 'UNMATCHED_PAYMENT' ELSE l.cause END)`,
  },
  {
    invariant: 5,
    sentence: 'an id of an earlier or intended attempt that has not ended, or has no attempt behind it',
    sql: `SELECT h.reservation_id::text AS subject, format('%s, row %s', h.state, r.status) AS detail
          FROM tinystore_order.order_line_hold h
          LEFT JOIN tinystore_inventory.inventory_reservation r USING (reservation_id)
          WHERE CASE h.state
            WHEN 'PAST' THEN coalesce(r.status, 'none') NOT IN ('RELEASED', 'EXPIRED')
            WHEN 'INTENDED' THEN r.status IS NOT NULL OR NOT EXISTS (
              SELECT FROM tinystore_order.late_payment l WHERE l.trade_id = h.trade_id AND l.status = 'REVIVING')
            ELSE false END`,
  },
];
