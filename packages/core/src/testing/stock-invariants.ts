/**
 * Invariants 1, 2, 4, 5 and 9 of design section 12 as queries over the ledger: each row found is a violation. An
 * effect older than the clean-up's limit may be gone, so effects are asked of younger rows only.
 */
import type { InvariantQuery } from './invariant-query.ts';

const YOUNG = `interval '6 days'`;

export const STOCK_INVARIANTS: readonly InvariantQuery[] = [
  {
    invariant: 1,
    sentence: 'more units confirmed and held than ever put in',
    sql: `SELECT shop_id || '/' || sku_id AS subject, format('%s used, %s put in', used, put_in) AS detail FROM (
            SELECT shop_id, sku_id, sum(used) AS used, sum(put_in) AS put_in FROM (
              SELECT shop_id, sku_id, quantity AS used, 0 AS put_in FROM tinystore_inventory.inventory_reservation
              WHERE status IN ('PRE_DEDUCTED', 'CONFIRMED')
              UNION ALL SELECT shop_id, sku_id, 0, quantity FROM tinystore_inventory.stock_movement WHERE kind IN ('RECEIPT', 'RESTOCK')
            ) u GROUP BY 1, 2) s
          WHERE used > put_in`,
  },
  {
    invariant: 1,
    sentence: 'a negative counter, or more reserved than on hand',
    sql: `SELECT shop_id || '/' || sku_id AS subject,
            format('total %s, reserved %s, confirmed %s', total_quantity, reserved_quantity, confirmed_quantity) AS detail
          FROM tinystore_inventory.inventory_stock
          WHERE least(total_quantity, reserved_quantity, confirmed_quantity) < 0 OR reserved_quantity > total_quantity`,
  },
  {
    invariant: 2,
    sentence: 'the movements do not add up to total_quantity',
    sql: `SELECT s.shop_id || '/' || s.sku_id AS subject, format('movements %s, total %s', coalesce(m.sum, 0), s.total_quantity) AS detail
          FROM tinystore_inventory.inventory_stock s
          LEFT JOIN (SELECT shop_id, sku_id, sum(quantity) AS sum FROM tinystore_inventory.stock_movement GROUP BY 1, 2) m USING (shop_id, sku_id)
          WHERE coalesce(m.sum, 0) <> s.total_quantity`,
  },
  {
    invariant: 2,
    sentence: 'the rows do not add up to reserved_quantity or confirmed_quantity',
    sql: `SELECT s.shop_id || '/' || s.sku_id AS subject,
            format('reserved %s of rows %s, confirmed %s of rows %s', s.reserved_quantity, coalesce(r.pre, 0), s.confirmed_quantity, coalesce(r.conf, 0)) AS detail
          FROM tinystore_inventory.inventory_stock s
          LEFT JOIN (
            SELECT shop_id, sku_id, sum(quantity) FILTER (WHERE status = 'PRE_DEDUCTED') AS pre, sum(quantity) FILTER (WHERE status = 'CONFIRMED') AS conf
            FROM tinystore_inventory.inventory_reservation GROUP BY 1, 2) r USING (shop_id, sku_id)
          WHERE s.reserved_quantity <> coalesce(r.pre, 0) OR s.confirmed_quantity <> coalesce(r.conf, 0)`,
  },
  {
    invariant: 2,
    sentence: 'a confirmed row and its movement do not match',
    sql: `SELECT coalesce(r.reservation_id, m.reservation_id)::text AS subject, format('row %s, movement %s', r.quantity, m.quantity) AS detail
          FROM (SELECT * FROM tinystore_inventory.inventory_reservation WHERE status = 'CONFIRMED') r
          FULL JOIN (SELECT * FROM tinystore_inventory.stock_movement WHERE kind IN ('CONFIRM', 'SHRINK')) m USING (reservation_id)
          WHERE r.quantity IS DISTINCT FROM -m.quantity OR r.shop_id <> m.shop_id OR r.sku_id <> m.sku_id
            OR (m.kind = 'SHRINK') <> (r.operation_id IS NOT NULL) OR r.operation_id IS DISTINCT FROM m.operation_id
            OR (r.operation_id IS NULL) = (r.order_id IS NULL)`,
  },
  {
    invariant: 2,
    sentence: 'a stock change made by people and its movement do not match',
    sql: `SELECT coalesce(o.id, m.operation_id)::text AS subject, format('%s of %s by %s, movement %s of %s by %s', o.kind, o.quantity, o.actor, m.kind, m.quantity, m.actor) AS detail
          FROM tinystore_inventory.stock_operation o
          FULL JOIN (SELECT * FROM tinystore_inventory.stock_movement WHERE kind IN ('RECEIPT', 'SHRINK')) m ON m.operation_id = o.id
          WHERE o.quantity IS DISTINCT FROM m.quantity OR o.actor IS DISTINCT FROM m.actor
            OR (o.shop_id, o.sku_id) <> (m.shop_id, m.sku_id) OR o.reservation_id IS DISTINCT FROM m.reservation_id`,
  },
  {
    invariant: 2,
    sentence: 'an import row and what it booked do not match',
    sql: `SELECT r.import_id || ' line ' || r.line AS subject, format('%s of %s, booked %s, undone %s', r.status, r.change, a.quantity, u.quantity) AS detail
          FROM tinystore_inventory.stock_import_row r
          LEFT JOIN tinystore_inventory.stock_operation a ON a.id = r.operation_id
          LEFT JOIN tinystore_inventory.stock_operation u ON u.id = r.undo_operation_id
          WHERE a.quantity IS DISTINCT FROM CASE WHEN r.status IN ('APPLIED', 'UNDONE') THEN r.change END
            OR u.quantity IS DISTINCT FROM CASE WHEN r.status = 'UNDONE' THEN -r.change END
            OR a.import_id IS DISTINCT FROM CASE WHEN a.id IS NOT NULL THEN r.import_id END
            OR u.import_id IS DISTINCT FROM CASE WHEN u.id IS NOT NULL THEN r.import_id END
            OR a.kind <> 'IMPORT' OR u.kind <> 'UNDO'
            OR (r.shop_id, r.sku_id) <> (coalesce(a.shop_id, r.shop_id), coalesce(a.sku_id, r.sku_id))`,
  },
  {
    invariant: 4,
    sentence: 'an order line without exactly one current hold of its units, or a hold without its line',
    sql: `SELECT coalesce(l.shop_order_id, h.shop_order_id) || '/' || coalesce(l.sku_id, h.sku_id) AS subject, format('line %s, holds %s of %s', l.quantity, h.n, h.units) AS detail
          FROM tinystore_order.order_line l
          FULL JOIN (SELECT shop_order_id, sku_id, count(*) AS n, sum(quantity) AS units FROM tinystore_order.order_line_hold
                     WHERE state = 'CURRENT' GROUP BY 1, 2) h USING (shop_order_id, sku_id)
          WHERE h.n IS DISTINCT FROM 1 OR h.units IS DISTINCT FROM l.quantity::bigint`,
  },
  {
    invariant: 4,
    sentence: 'an order of which the ledger has some lines in one state and some in another',
    sql: `SELECT h.trade_id::text AS subject, string_agg(DISTINCT coalesce(r.status, 'no row'), ', ') AS detail
          FROM tinystore_order.order_line_hold h
          LEFT JOIN tinystore_inventory.inventory_reservation r USING (reservation_id)
          WHERE h.state = 'CURRENT' GROUP BY h.trade_id
          HAVING count(DISTINCT CASE WHEN r.status IN ('RELEASED', 'EXPIRED') THEN 'ENDED' ELSE coalesce(r.status, 'no row') END) > 1`,
  },
  {
    invariant: 4,
    sentence: 'a ledger row and the hold it was made from differ',
    sql: `SELECT r.reservation_id::text AS subject, format('row %s/%s x%s, hold %s/%s x%s', r.shop_id, r.sku_id, r.quantity, h.shop_id, h.sku_id, h.quantity) AS detail
          FROM tinystore_inventory.inventory_reservation r
          LEFT JOIN tinystore_order.order_line_hold h USING (reservation_id)
          WHERE r.order_id IS NOT NULL AND (h.shop_order_id IS DISTINCT FROM r.order_id OR h.trade_id IS DISTINCT FROM r.trade_id
            OR h.shop_id <> r.shop_id OR h.sku_id <> r.sku_id OR h.quantity <> r.quantity)`,
  },
  {
    invariant: 5,
    sentence: 'a row whose times tell of another path than its state',
    sql: `SELECT reservation_id::text AS subject, format('%s, confirmed %s, ended %s', status, confirmed_at, ended_at) AS detail
          FROM tinystore_inventory.inventory_reservation
          WHERE (status = 'CONFIRMED') <> (confirmed_at IS NOT NULL) OR (status IN ('RELEASED', 'EXPIRED')) <> (ended_at IS NOT NULL)`,
  },
  {
    invariant: 5,
    sentence: 'the guards of final states and append-only tables are not in force',
    sql: `SELECT g.name AS subject, 'trigger missing or disabled' AS detail
          FROM unnest(ARRAY['inventory_reservation_final', 'sku_kept', 'inventory_stock_kept', 'order_line_kept', 'order_line_hold_kept', 'stock_movement_append_only', 'inventory_reconcile_log_append_only', 'audit_log_append_only', 'stock_operation_append_only']) AS g(name)
          WHERE NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgname = g.name AND t.tgenabled = 'O')`,
  },
  {
    invariant: 9,
    sentence: 'a final row without exactly its one gate effect, or an effect that the row does not ask for',
    sql: `SELECT coalesce(r.reservation_id, e.reservation_id)::text AS subject,
            format('row %s x%s, give-backs %s, settles %s, units %s', r.status, r.quantity, coalesce(e.gives, 0), coalesce(e.settles, 0), e.units) AS detail
          FROM tinystore_inventory.inventory_reservation r
          FULL JOIN (
            SELECT reservation_id, count(*) FILTER (WHERE kind = 'GIVE_BACK') AS gives, count(*) FILTER (WHERE kind = 'SETTLE') AS settles, max(quantity) AS units
            FROM tinystore_inventory.gate_effect WHERE reservation_id IS NOT NULL GROUP BY 1) e USING (reservation_id)
          WHERE coalesce(r.confirmed_at, r.ended_at, ops.clock_now()) > ops.clock_now() - ${YOUNG}
            AND (coalesce(e.gives, 0) <> CASE WHEN r.status IN ('RELEASED', 'EXPIRED') THEN 1 ELSE 0 END
              OR coalesce(e.settles, 0) <> CASE WHEN r.status = 'CONFIRMED' THEN 1 ELSE 0 END OR e.units <> r.quantity)`,
  },
  {
    invariant: 9,
    sentence: 'an abandoned hold that an order or the ledger names',
    sql: `SELECT a.reservation_id::text AS subject, format('line %s, row %s', h.state, r.status) AS detail
          FROM tinystore_inventory.abandoned_hold a
          LEFT JOIN tinystore_order.order_line_hold h USING (reservation_id)
          LEFT JOIN tinystore_inventory.inventory_reservation r USING (reservation_id)
          WHERE h.reservation_id IS NOT NULL OR r.reservation_id IS NOT NULL`,
  },
];
