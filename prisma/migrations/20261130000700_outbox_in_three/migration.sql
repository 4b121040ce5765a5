-- The outbox in three tables (decision 0006): what was said (outbox_event, never changed), what still has to be sent
-- (outbox_pending, a row that is deleted when it is), and where it landed (outbox_sent). One wide row that was claimed
-- and then marked cost an event two new versions of all its content: measured 50 us an event for append, claim and
-- mark, against 27 us in this shape.

CREATE TABLE tinystore_order.outbox_pending (
  id     bigint PRIMARY KEY,
  status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'PARKED')),
  topic  text,
  key    text,
  reason text,
  CONSTRAINT parked_says_why CHECK ((status = 'PARKED') = (topic IS NOT NULL AND key IS NOT NULL AND reason IS NOT NULL))
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX outbox_pending_parked ON tinystore_order.outbox_pending (key, id) WHERE status = 'PARKED';

CREATE TABLE tinystore_order.outbox_sent (
  id        bigint PRIMARY KEY,
  partition integer NOT NULL,
  "offset"  bigint NOT NULL,
  sent_at   timestamptz NOT NULL DEFAULT ops.clock_now()
);

INSERT INTO tinystore_order.outbox_pending (id, status, topic, key, reason)
SELECT id, status, CASE status WHEN 'PARKED' THEN topic END, CASE status WHEN 'PARKED' THEN key END,
       CASE status WHEN 'PARKED' THEN coalesce(parked_reason, 'unknown') END
FROM tinystore_order.outbox_event WHERE status IN ('PENDING', 'PARKED');
INSERT INTO tinystore_order.outbox_sent (id, partition, "offset", sent_at)
SELECT id, partition, "offset", coalesce(sent_at, occurred_at) FROM tinystore_order.outbox_event WHERE status = 'SENT';

ALTER TABLE tinystore_order.outbox_event
  DROP COLUMN status, DROP COLUMN claim, DROP COLUMN partition, DROP COLUMN "offset", DROP COLUMN sent_at, DROP COLUMN parked_reason;
ALTER TABLE tinystore_order.outbox_event RESET (fillfactor);

-- For people, audits and tests: each event with its state. A row without one is a broken invariant.
CREATE VIEW tinystore_order.outbox AS
SELECT e.*, CASE WHEN p.id IS NOT NULL THEN p.status WHEN s.id IS NOT NULL THEN 'SENT' END AS status,
       p.reason AS parked_reason, s.partition, s."offset", s.sent_at
FROM tinystore_order.outbox_event e
LEFT JOIN tinystore_order.outbox_pending p ON p.id = e.id
LEFT JOIN tinystore_order.outbox_sent s ON s.id = e.id;

-- commit_orders as before; only its events go into two tables.
CREATE OR REPLACE FUNCTION tinystore_order.commit_orders(
  p_orders jsonb, p_shop_orders jsonb, p_lines jsonb, p_events jsonb,
  p_pay_seconds integer, p_open_orders_limit integer
) RETURNS TABLE (ord integer, outcome text, trade_id uuid, fingerprint text, pay_until timestamptz)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
BEGIN
  PERFORM pg_advisory_xact_lock_shared(ops.gate_lock_key());

  PERFORM pg_advisory_xact_lock(1, k.lock)
  FROM (SELECT DISTINCT tinystore_order.lock_idempotency_key(o.buyer_id, o.key) AS lock
        FROM jsonb_to_recordset(p_orders) AS o(buyer_id uuid, key text) ORDER BY 1) k;

  INSERT INTO tinystore_order.buyer_limit (buyer_id)
  SELECT o.buyer_id FROM jsonb_to_recordset(p_orders) AS o(buyer_id uuid) ORDER BY 1
  ON CONFLICT DO NOTHING;
  PERFORM 1 FROM tinystore_order.buyer_limit b
  WHERE b.buyer_id = ANY (ARRAY(SELECT o.buyer_id FROM jsonb_to_recordset(p_orders) AS o(buyer_id uuid)))
  ORDER BY b.buyer_id FOR UPDATE;

  RETURN QUERY
  WITH o AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(p_orders) AS o(
      ord integer, trade_id uuid, intent_id uuid, buyer_id uuid, key text, fingerprint text, cart_id uuid,
      currency text, total_minor bigint, email text, ship_to jsonb, epoch bigint)
  ), l AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(p_lines) AS l(
      ord integer, shop_order_id uuid, shop_id text, sku_id text, name text, quantity integer,
      unit_price_minor bigint, reservation_id uuid, generation bigint)
  ), line_state AS MATERIALIZED (
    SELECT l.ord,
      bool_or(s.id IS NULL OR NOT s.active OR i.sku_id IS NULL) AS unknown,
      bool_or(s.price_minor <> l.unit_price_minor) AS repriced,
      bool_or(i.gate_mode <> 'REDIS' OR i.generation <> l.generation) AS stale,
      bool_or(a.reservation_id IS NOT NULL OR h.reservation_id IS NOT NULL) AS used
    FROM l
    LEFT JOIN LATERAL (SELECT s.id, s.active, s.price_minor FROM tinystore_order.sku s
                       WHERE s.shop_id = l.shop_id AND s.id = l.sku_id LIMIT 1) s ON true
    LEFT JOIN LATERAL (SELECT i.sku_id, i.gate_mode, i.generation FROM tinystore_inventory.inventory_stock i
                       WHERE i.shop_id = l.shop_id AND i.sku_id = l.sku_id LIMIT 1) i ON true
    LEFT JOIN LATERAL (SELECT a.reservation_id FROM tinystore_inventory.abandoned_hold a
                       WHERE a.reservation_id = l.reservation_id LIMIT 1) a ON true
    LEFT JOIN LATERAL (SELECT h.reservation_id FROM tinystore_order.order_line_hold h
                       WHERE h.reservation_id = l.reservation_id LIMIT 1) h ON true
    GROUP BY l.ord
  ), judged AS MATERIALIZED (
    SELECT o.*,
      CASE
        WHEN t.id IS NOT NULL THEN 'EXISTING'
        WHEN NOT e.open OR e.epoch <> o.epoch OR ls.stale THEN 'STALE_EPOCH'
        WHEN ls.used IS NOT FALSE THEN 'ABANDONED'
        WHEN ls.unknown THEN 'UNKNOWN_SKU'
        WHEN ls.repriced THEN 'PRICE_CHANGED'
        WHEN c.id IS NOT NULL THEN 'OPEN_ORDER'
        WHEN b.open_orders >= p_open_orders_limit THEN 'LIMIT_EXCEEDED'
        ELSE 'PLACED'
      END AS verdict,
      coalesce(t.id, c.id) AS other_id, t.fingerprint AS other_fingerprint,
      coalesce(t.pay_until, c.pay_until) AS other_pay_until
    FROM o
    CROSS JOIN (SELECT g.epoch, g.open FROM tinystore_inventory.gate_epoch g LIMIT 1) e
    LEFT JOIN line_state ls ON ls.ord = o.ord
    CROSS JOIN LATERAL (SELECT b.open_orders FROM tinystore_order.buyer_limit b WHERE b.buyer_id = o.buyer_id LIMIT 1) b
    LEFT JOIN LATERAL (SELECT t.id, t.fingerprint, t.pay_until FROM tinystore_order.trade t
                       WHERE t.buyer_id = o.buyer_id AND t.idempotency_key = o.key LIMIT 1) t ON true
    LEFT JOIN LATERAL (SELECT c.id, c.pay_until FROM tinystore_order.trade c
                       WHERE c.buyer_id = o.buyer_id AND c.cart_id = o.cart_id
                         -- || '' keeps the plan off the index of all unpaid trades: a buyer has few trades, the shop many
                         AND c.status || '' = 'UNPAID' LIMIT 1) c ON true
  ), placed AS MATERIALIZED (
    SELECT j.*, ops.clock_now() + make_interval(secs => p_pay_seconds) AS until FROM judged j WHERE j.verdict = 'PLACED'
  ), ins_trade AS (
    INSERT INTO tinystore_order.trade
      (id, buyer_id, idempotency_key, fingerprint, cart_id, currency, total_minor, email, ship_to, pay_until)
    SELECT p.trade_id, p.buyer_id, p.key, p.fingerprint, p.cart_id, p.currency, p.total_minor, p.email, p.ship_to, p.until
    FROM placed p
  ), ins_shop_order AS (
    INSERT INTO tinystore_order.shop_order (id, trade_id, shop_id, subtotal_minor)
    SELECT so.id, p.trade_id, so.shop_id, so.subtotal_minor
    FROM placed p JOIN jsonb_to_recordset(p_shop_orders) AS so(ord integer, id uuid, shop_id text, subtotal_minor bigint)
      ON so.ord = p.ord
  ), ins_line AS (
    INSERT INTO tinystore_order.order_line (shop_order_id, sku_id, name, quantity, unit_price_minor)
    SELECT l.shop_order_id, l.sku_id, l.name, l.quantity, l.unit_price_minor FROM placed p JOIN l ON l.ord = p.ord
  ), ins_hold AS (
    INSERT INTO tinystore_order.order_line_hold
      (reservation_id, shop_order_id, trade_id, shop_id, sku_id, quantity, gate_mode, epoch, generation)
    SELECT l.reservation_id, l.shop_order_id, p.trade_id, l.shop_id, l.sku_id, l.quantity, 'REDIS', p.epoch, l.generation
    FROM placed p JOIN l ON l.ord = p.ord
  ), ins_intent AS (
    INSERT INTO tinystore_order.payment_intent (id, trade_id, amount_minor, currency, expires_at)
    SELECT p.intent_id, p.trade_id, p.total_minor, p.currency, p.until FROM placed p
  ), raise_limit AS (
    UPDATE tinystore_order.buyer_limit b SET open_orders = b.open_orders + 1
    WHERE b.buyer_id = ANY (ARRAY(SELECT p.buyer_id FROM placed p))
  ), ins_event AS (
    INSERT INTO tinystore_order.outbox_event (event_id, type, topic, key, trace_id, payload)
    SELECT ev.event_id, ev.type, ev.topic, ev.key, ev.trace_id, ev.payload || jsonb_build_object('payUntil', p.until)
    FROM placed p JOIN jsonb_to_recordset(p_events)
      AS ev(ord integer, event_id uuid, type text, topic text, key text, trace_id text, payload jsonb) ON ev.ord = p.ord
    ORDER BY ev.event_id
    RETURNING id
  ), ins_pending AS (
    INSERT INTO tinystore_order.outbox_pending (id) SELECT ev.id FROM ins_event ev
  )
  SELECT j.ord, j.verdict, coalesce(j.other_id, j.trade_id), j.other_fingerprint, coalesce(p.until, j.other_pay_until)
  FROM judged j LEFT JOIN placed p ON p.ord = j.ord;
END $$;
