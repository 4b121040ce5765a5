-- commit_orders again (P11), now for wide orders too: lines that the database itself reserves (P5, P20), limits per buyer
-- and SKU (P23), coupons. The rules of the first version stand. Its one statement still judges and writes a plain batch;
-- a wide batch (`p_wide`) is judged first, spends what it needs under row locks, and is written by the same statement.
-- Both branches of `judged` are one-time filters: a plain batch pays nothing for the wide one. The judgement is one text
-- put into both functions: called as a function it read the lines twice, which took 5 % of a plain batch.
--
-- Lock order (P12): gate lock, idempotency keys sorted, buyer rows sorted, stock sorted, coupons sorted.

-- Spends what the placed orders of a wide batch need beyond the gate: stock of DATABASE lines, units per buyer, uses of
-- coupons. Rows are locked sorted; then the orders are judged one by one, in their order, on the locked figures (P5), and
-- the sums are written by one guarded UPDATE a row, whose success is checked. Returns the judged orders, those that did
-- not fit with another verdict; a refused order has spent nothing.
CREATE FUNCTION tinystore_order.spend_orders(p_judged jsonb, p_lines jsonb) RETURNS jsonb LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  r record;
  v_free jsonb := '{}';
  v_spent jsonb := '{}';
  v_refused jsonb := '{}';
  v_short jsonb;
BEGIN
  -- What there is: `s shop sku` units that nobody holds, `c code` uses that are left. No id holds a blank.
  FOR r IN
    SELECT DISTINCT l.shop_id, l.sku_id
    FROM jsonb_to_recordset(p_judged) AS o(ord integer, verdict text)
    JOIN jsonb_to_recordset(p_lines) AS l(ord integer, shop_id text, sku_id text, gate_mode text)
      ON l.ord = o.ord AND o.verdict = 'PLACED' AND l.gate_mode = 'DATABASE'
    ORDER BY 1, 2
  LOOP
    v_free := v_free || coalesce((
      SELECT jsonb_build_object('s ' || i.shop_id || ' ' || i.sku_id, i.total_quantity - i.reserved_quantity)
      FROM tinystore_inventory.inventory_stock i
      WHERE i.shop_id = r.shop_id AND i.sku_id = r.sku_id AND i.gate_mode = 'DATABASE' FOR UPDATE), '{}');
  END LOOP;
  FOR r IN
    SELECT DISTINCT o.coupon FROM jsonb_to_recordset(p_judged) AS o(verdict text, coupon text, remote boolean)
    WHERE o.verdict = 'PLACED' AND o.coupon IS NOT NULL AND NOT o.remote ORDER BY 1
  LOOP
    v_free := v_free || coalesce((
      SELECT jsonb_build_object('c ' || c.code, c.usage_limit - c.used) FROM tinystore_order.coupon c
      WHERE c.code = r.coupon FOR UPDATE), '{}');
  END LOOP;

  FOR r IN SELECT * FROM tinystore_order.wants_of_orders(p_judged, p_lines) ORDER BY ord LOOP
    IF r.over_limit IS NOT NULL THEN
      v_refused := v_refused || jsonb_build_object(r.ord, jsonb_build_object('verdict', 'BUYER_LIMIT', 'detail', r.over_limit));
      CONTINUE;
    END IF;
    SELECT jsonb_agg(jsonb_build_object('shopId', w.shop_id, 'skuId', w.sku_id, 'wanted', w.units,
                                        'left', coalesce((v_free ->> w.key)::bigint, 0))) INTO v_short
    FROM jsonb_to_recordset(r.wants) AS w(key text, shop_id text, sku_id text, units bigint)
    WHERE w.shop_id IS NOT NULL AND coalesce((v_free ->> w.key)::bigint, 0) < w.units;
    IF v_short IS NOT NULL THEN
      v_refused := v_refused || jsonb_build_object(r.ord, jsonb_build_object('verdict', 'SOLD_OUT', 'detail', v_short));
      CONTINUE;
    END IF;
    IF r.coupon_refused IS NOT NULL OR EXISTS (
      SELECT FROM jsonb_to_recordset(r.wants) AS w(key text, shop_id text, units bigint)
      WHERE w.shop_id IS NULL AND coalesce((v_free ->> w.key)::bigint, 0) < w.units) THEN
      v_refused := v_refused || jsonb_build_object(r.ord, jsonb_build_object(
        'verdict', 'COUPON_REFUSED', 'detail', to_jsonb(coalesce(r.coupon_refused, 'USED_UP'))));
      CONTINUE;
    END IF;
    SELECT v_free || coalesce(jsonb_object_agg(w.key, (v_free ->> w.key)::bigint - w.units), '{}'),
           v_spent || coalesce(jsonb_object_agg(w.key, coalesce((v_spent ->> w.key)::bigint, 0) + w.units), '{}')
    INTO v_free, v_spent
    FROM jsonb_to_recordset(r.wants) AS w(key text, units bigint);
  END LOOP;

  FOR r IN SELECT s.key, s.value::bigint AS units, split_part(s.key, ' ', 2) AS first, split_part(s.key, ' ', 3) AS second
           FROM jsonb_each_text(v_spent) s ORDER BY s.key DESC LOOP
    IF r.key LIKE 's %' THEN
      UPDATE tinystore_inventory.inventory_stock i SET reserved_quantity = i.reserved_quantity + r.units, version = i.version + 1
      WHERE i.shop_id = r.first AND i.sku_id = r.second AND i.gate_mode = 'DATABASE' AND i.total_quantity - i.reserved_quantity >= r.units;
    ELSE
      UPDATE tinystore_order.coupon c SET used = c.used + r.units WHERE c.code = r.first AND c.usage_limit - c.used >= r.units;
    END IF;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'locked figures of "%" do not bear % more', r.key, r.units;
    END IF;
  END LOOP;
  PERFORM tinystore_order.count_buyer_units(p_judged, p_lines, v_refused);

  RETURN (SELECT jsonb_agg(j || coalesce(v_refused -> (j ->> 'ord'), '{}')) FROM jsonb_array_elements(p_judged) j);
END $$;

-- What each placed order wants beyond the gate. `over_limit`: lines past what the buyer may still have in the window.
-- `coupon_refused`: why the coupon does not fit this order; whether uses are left is judged by the caller.
CREATE FUNCTION tinystore_order.wants_of_orders(p_judged jsonb, p_lines jsonb)
RETURNS TABLE (ord integer, wants jsonb, over_limit jsonb, coupon_refused text) LANGUAGE sql STABLE AS $$
  WITH l AS MATERIALIZED (
    SELECT l.* FROM jsonb_to_recordset(p_lines) AS l(ord integer, shop_id text, sku_id text, quantity integer, gate_mode text)
  )
  SELECT o.ord,
    coalesce((SELECT jsonb_agg(jsonb_build_object('key', 's ' || l.shop_id || ' ' || l.sku_id, 'shop_id', l.shop_id,
                                                  'sku_id', l.sku_id, 'units', l.quantity))
              FROM l WHERE l.ord = o.ord AND l.gate_mode = 'DATABASE'), '[]')
      || CASE WHEN o.coupon IS NOT NULL AND NOT o.remote
              THEN jsonb_build_array(jsonb_build_object('key', 'c ' || o.coupon, 'units', 1)) ELSE '[]' END,
    (SELECT jsonb_agg(jsonb_build_object('shopId', l.shop_id, 'skuId', l.sku_id, 'wanted', l.quantity,
                                         'limit', s.buyer_limit, 'left', greatest(0, s.buyer_limit - coalesce(b.units, 0))))
     FROM l
     CROSS JOIN LATERAL (SELECT s.buyer_limit FROM tinystore_order.sku s
                         WHERE s.shop_id = l.shop_id AND s.id = l.sku_id AND s.buyer_limit IS NOT NULL LIMIT 1) s
     LEFT JOIN LATERAL (SELECT b.units FROM tinystore_order.buyer_sku_limit b
                        WHERE b.buyer_id = o.buyer_id AND b.shop_id = l.shop_id AND b.sku_id = l.sku_id
                          AND b.window_end > ops.clock_now() ORDER BY b.window_start DESC LIMIT 1) b ON true
     WHERE l.ord = o.ord AND coalesce(b.units, 0) + l.quantity > s.buyer_limit),
    CASE
      WHEN o.coupon IS NULL THEN NULL
      WHEN c.code IS NULL OR NOT c.active THEN 'UNKNOWN'
      WHEN ops.clock_now() < c.valid_from OR ops.clock_now() >= c.valid_until THEN 'NOT_VALID_NOW'
      WHEN c.kind = 'FIXED' AND c.currency <> o.currency THEN 'OTHER_CURRENCY'
      WHEN o.discount_minor <> CASE c.kind WHEN 'FIXED' THEN c.value
                                           ELSE (o.total_minor + o.discount_minor) * c.value / 100 END THEN 'CHANGED'
    END
  FROM jsonb_to_recordset(p_judged) AS o(
    ord integer, verdict text, buyer_id uuid, coupon text, remote boolean, discount_minor bigint, total_minor bigint, currency text)
  LEFT JOIN LATERAL (SELECT c.* FROM tinystore_order.coupon c WHERE c.code = o.coupon LIMIT 1) c ON true
  WHERE o.verdict = 'PLACED'
$$;

-- Raises the counts of limited SKUs (P23) for the orders that are not refused. The caller holds the buyers' rows.
CREATE FUNCTION tinystore_order.count_buyer_units(p_judged jsonb, p_lines jsonb, p_refused jsonb) RETURNS void
LANGUAGE sql VOLATILE AS $$
  INSERT INTO tinystore_order.buyer_sku_limit AS b (buyer_id, shop_id, sku_id, window_start, window_end, units)
  SELECT o.buyer_id, l.shop_id, l.sku_id, coalesce(w.window_start, ops.clock_now()),
         coalesce(w.window_end, ops.clock_now() + make_interval(secs => s.buyer_window_seconds)), l.quantity
  FROM jsonb_to_recordset(p_judged) AS o(ord integer, verdict text, buyer_id uuid)
  JOIN jsonb_to_recordset(p_lines) AS l(ord integer, shop_id text, sku_id text, quantity integer) ON l.ord = o.ord
  CROSS JOIN LATERAL (SELECT s.buyer_window_seconds FROM tinystore_order.sku s
                      WHERE s.shop_id = l.shop_id AND s.id = l.sku_id AND s.buyer_limit IS NOT NULL LIMIT 1) s
  LEFT JOIN LATERAL (SELECT b.window_start, b.window_end FROM tinystore_order.buyer_sku_limit b
                     WHERE b.buyer_id = o.buyer_id AND b.shop_id = l.shop_id AND b.sku_id = l.sku_id
                       AND b.window_end > ops.clock_now() ORDER BY b.window_start DESC LIMIT 1) w ON true
  WHERE o.verdict = 'PLACED' AND NOT p_refused ? o.ord::text
  ORDER BY 1, 2, 3
  ON CONFLICT (buyer_id, shop_id, sku_id, window_start) DO UPDATE SET units = b.units + excluded.units
$$;

DROP FUNCTION tinystore_order.commit_orders(jsonb, jsonb, jsonb, jsonb, integer, integer);
DO $do$
DECLARE
  -- LIMITED: the price list that prepared the order does not know a limit of one of its SKUs yet; it comes again with it.
  judged CONSTANT text := $judged$o AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(p_orders) AS o(
      ord integer, trade_id uuid, intent_id uuid, buyer_id uuid, key text, fingerprint text, cart_id uuid,
      currency text, total_minor bigint, email text, ship_to jsonb, epoch bigint, coupon text, discount_minor bigint, remote boolean)
  ), l AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(p_lines) AS l(
      ord integer, shop_order_id uuid, shop_id text, sku_id text, name text, quantity integer,
      unit_price_minor bigint, discount_minor bigint, reservation_id uuid, gate_mode text, generation bigint)
  ), line_state AS MATERIALIZED (
    SELECT l.ord,
      bool_or(s.id IS NULL OR NOT s.active OR i.sku_id IS NULL) AS unknown,
      bool_or(s.price_minor <> l.unit_price_minor) AS repriced,
      bool_or(l.quantity > s.order_limit) AS over,
      bool_or(s.buyer_limit IS NOT NULL) AS limited,
      bool_or(i.gate_mode <> l.gate_mode OR i.generation <> l.generation) AS stale,
      bool_or(l.gate_mode = 'REDIS') AS at_gate,
      bool_or(a.reservation_id IS NOT NULL OR h.reservation_id IS NOT NULL) AS used
    FROM l
    LEFT JOIN LATERAL (SELECT s.id, s.active, s.price_minor, s.order_limit, s.buyer_limit FROM tinystore_order.sku s
                       WHERE s.shop_id = l.shop_id AND s.id = l.sku_id LIMIT 1) s ON true
    LEFT JOIN LATERAL (SELECT i.sku_id, i.gate_mode, i.generation FROM tinystore_inventory.inventory_stock i
                       WHERE i.shop_id = l.shop_id AND i.sku_id = l.sku_id LIMIT 1) i ON true
    LEFT JOIN LATERAL (SELECT a.reservation_id FROM tinystore_inventory.abandoned_hold a
                       WHERE a.reservation_id = l.reservation_id LIMIT 1) a ON true
    LEFT JOIN LATERAL (SELECT h.reservation_id FROM tinystore_order.order_line_hold h
                       WHERE h.reservation_id = l.reservation_id LIMIT 1) h ON true
    GROUP BY l.ord
  ), by_rules AS (
  SELECT o.*,
    CASE
      WHEN t.id IS NOT NULL THEN 'EXISTING'
      WHEN ls.at_gate AND (NOT e.open OR e.epoch IS DISTINCT FROM o.epoch) OR ls.stale THEN 'STALE_EPOCH'
      WHEN ls.used IS NOT FALSE THEN 'ABANDONED'
      WHEN ls.unknown THEN 'UNKNOWN_SKU'
      WHEN ls.repriced THEN 'PRICE_CHANGED'
      WHEN c.id IS NOT NULL THEN 'OPEN_ORDER'
      WHEN b.open_orders >= p_open_orders_limit THEN 'LIMIT_EXCEEDED'
      WHEN ls.over OR ls.limited AND NOT p_wide THEN 'LIMITED'
      ELSE 'PLACED'
    END AS verdict,
    coalesce(t.id, c.id) AS other_id, t.fingerprint AS other_fingerprint, coalesce(t.pay_until, c.pay_until) AS other_pay_until,
    NULL::jsonb AS detail
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
  )$judged$;
BEGIN
  EXECUTE replace($create$
-- A wide batch, judged from one snapshot before it spends anything.
CREATE FUNCTION tinystore_order.judge_orders(p_orders jsonb, p_lines jsonb, p_open_orders_limit integer) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $f$
#variable_conflict use_column
DECLARE
  p_wide CONSTANT boolean := true;
BEGIN
  RETURN (
    WITH {{judged}}
    SELECT jsonb_agg(to_jsonb(j) ORDER BY j.ord) FROM by_rules j);
END $f$;
$create$, '{{judged}}', judged);
  EXECUTE replace($create$
CREATE FUNCTION tinystore_order.commit_orders(
  p_orders jsonb, p_shop_orders jsonb, p_lines jsonb, p_events jsonb,
  p_pay_seconds integer, p_open_orders_limit integer, p_wide boolean
) RETURNS TABLE (ord integer, outcome text, trade_id uuid, fingerprint text, pay_until timestamptz, detail jsonb)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off
AS $f$
#variable_conflict use_column
DECLARE
  v_judged jsonb := '[]';
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

  IF p_wide THEN
    v_judged := tinystore_order.spend_orders(
      tinystore_order.judge_orders(p_orders, p_lines, p_open_orders_limit), p_lines);
  END IF;

  RETURN QUERY
  WITH {{judged}}, judged AS MATERIALIZED (
    SELECT * FROM by_rules WHERE NOT p_wide
    UNION ALL
    SELECT * FROM jsonb_to_recordset(v_judged) AS j(
      ord integer, trade_id uuid, intent_id uuid, buyer_id uuid, key text, fingerprint text, cart_id uuid, currency text,
      total_minor bigint, email text, ship_to jsonb, epoch bigint, coupon text, discount_minor bigint, remote boolean,
      verdict text, other_id uuid, other_fingerprint text, other_pay_until timestamptz, detail jsonb) WHERE p_wide
  ), placed AS MATERIALIZED (
    SELECT j.*, ops.clock_now() + make_interval(secs => p_pay_seconds) AS until FROM judged j WHERE j.verdict = 'PLACED'
  ), ins_trade AS (
    INSERT INTO tinystore_order.trade
      (id, buyer_id, idempotency_key, fingerprint, cart_id, currency, total_minor, discount_minor, email, ship_to, pay_until)
    SELECT p.trade_id, p.buyer_id, p.key, p.fingerprint, p.cart_id, p.currency, p.total_minor, coalesce(p.discount_minor, 0),
           p.email, p.ship_to, p.until
    FROM placed p
  ), ins_shop_order AS (
    INSERT INTO tinystore_order.shop_order (id, trade_id, shop_id, status, subtotal_minor, discount_minor)
    SELECT so.id, p.trade_id, so.shop_id, so.status, so.subtotal_minor, coalesce(so.discount_minor, 0)
    FROM placed p JOIN jsonb_to_recordset(p_shop_orders)
      AS so(ord integer, id uuid, shop_id text, status text, subtotal_minor bigint, discount_minor bigint) ON so.ord = p.ord
  ), ins_line AS (
    INSERT INTO tinystore_order.order_line (shop_order_id, sku_id, name, quantity, unit_price_minor, discount_minor)
    SELECT l.shop_order_id, l.sku_id, l.name, l.quantity, l.unit_price_minor, coalesce(l.discount_minor, 0)
    FROM placed p JOIN l ON l.ord = p.ord
  ), ins_hold AS (
    INSERT INTO tinystore_order.order_line_hold
      (reservation_id, shop_order_id, trade_id, shop_id, sku_id, quantity, gate_mode, epoch, generation)
    SELECT l.reservation_id, l.shop_order_id, p.trade_id, l.shop_id, l.sku_id, l.quantity, l.gate_mode,
           CASE l.gate_mode WHEN 'REDIS' THEN p.epoch END, l.generation
    FROM placed p JOIN l ON l.ord = p.ord
  ), ins_reservation AS (
    INSERT INTO tinystore_inventory.inventory_reservation
      (reservation_id, shop_id, sku_id, quantity, status, expire_at, trade_id, order_id)
    SELECT l.reservation_id, l.shop_id, l.sku_id, l.quantity, 'PRE_DEDUCTED', p.until, p.trade_id, l.shop_order_id
    FROM placed p JOIN l ON l.ord = p.ord WHERE p_wide AND l.gate_mode = 'DATABASE' ORDER BY l.reservation_id
  ), ins_promotion AS (
    INSERT INTO tinystore_order.promotion_lock (trade_id, coupon_code, discount_minor, status, remote)
    SELECT p.trade_id, p.coupon, p.discount_minor, CASE WHEN p.remote THEN 'PENDING' ELSE 'LOCKED' END, p.remote
    FROM placed p WHERE p_wide AND p.coupon IS NOT NULL
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
  SELECT j.ord, j.verdict, coalesce(j.other_id, j.trade_id), j.other_fingerprint, coalesce(p.until, j.other_pay_until), j.detail
  FROM judged j LEFT JOIN placed p ON p.ord = j.ord;
END $f$;
$create$, '{{judged}}', judged);
END $do$;
