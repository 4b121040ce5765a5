-- Switching a SKU between gate and ledger, online (P20). Each step is one short autocommitted function under the exclusive
-- gate lock (P12); the lock is a statement of its own, so what follows sees every order that was committed before.

-- The one exclusive step each way. To DATABASE: the row says SWITCHING under a generation of its own, so nothing that was
-- taken before can be committed any more; `finish_switch` ends it. To REDIS: the gate is loaded from the ledger. Returns the
-- mode the row had; NULL without a row. Nothing changes when the row is there already, or on its way.
CREATE FUNCTION tinystore_inventory.begin_switch(p_shop_id text, p_sku_id text, p_to text, p_actor text, p_reason text)
RETURNS text LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' AS $$
DECLARE
  before tinystore_inventory.inventory_stock;
BEGIN
  PERFORM pg_advisory_xact_lock(ops.gate_lock_key());
  SELECT * INTO before FROM tinystore_inventory.inventory_stock WHERE shop_id = p_shop_id AND sku_id = p_sku_id FOR UPDATE;
  IF NOT FOUND OR before.gate_mode = p_to OR p_to = 'DATABASE' AND before.gate_mode = 'SWITCHING' THEN
    RETURN before.gate_mode;
  END IF;
  UPDATE tinystore_inventory.inventory_stock
  SET gate_mode = CASE p_to WHEN 'DATABASE' THEN 'SWITCHING' ELSE 'REDIS' END, generation = generation + 1, version = version + 1
  WHERE shop_id = p_shop_id AND sku_id = p_sku_id;
  IF p_to = 'REDIS' THEN
    INSERT INTO tinystore_inventory.gate_effect (kind, shop_id, sku_id) VALUES ('INSTALL', p_shop_id, p_sku_id);
  END IF;
  INSERT INTO ops.audit_log (actor, action, target, reason, before, after)
  VALUES (p_actor, 'gate.switch-mode', p_shop_id || '/' || p_sku_id, p_reason,
          jsonb_build_object('mode', before.gate_mode, 'generation', before.generation),
          jsonb_build_object('mode', p_to, 'generation', before.generation + 1));
  RETURN before.gate_mode;
END $$;

-- The end of a switch to DATABASE: only once every line that the gate admitted has its row. The key at the gate goes by an
-- effect that names this generation, for it must never take away what a later switch back has loaded. Returns the mode.
CREATE FUNCTION tinystore_inventory.finish_switch(p_shop_id text, p_sku_id text)
RETURNS text LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' AS $$
DECLARE
  stock tinystore_inventory.inventory_stock;
BEGIN
  PERFORM pg_advisory_xact_lock(ops.gate_lock_key());
  SELECT * INTO stock FROM tinystore_inventory.inventory_stock WHERE shop_id = p_shop_id AND sku_id = p_sku_id FOR UPDATE;
  IF stock.gate_mode <> 'SWITCHING'
     OR EXISTS (SELECT FROM tinystore_inventory.live_holds(ARRAY[p_shop_id], ARRAY[p_sku_id]) h WHERE NOT h.recorded) THEN
    RETURN stock.gate_mode;
  END IF;
  UPDATE tinystore_inventory.inventory_stock SET gate_mode = 'DATABASE', version = version + 1
  WHERE shop_id = p_shop_id AND sku_id = p_sku_id;
  INSERT INTO tinystore_inventory.gate_effect (kind, shop_id, sku_id, generation)
  VALUES ('REMOVE', p_shop_id, p_sku_id, stock.generation);
  RETURN 'DATABASE';
END $$;

-- Effects of SKUs that the gate does not have any more: done without Redis (P18), under the shared lock, so that no switch
-- lies between the look and the mark. REMOVE is left out: it is about what still stands in Redis.
CREATE FUNCTION tinystore_inventory.mark_without_gate(p_limit integer) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  marked bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM tinystore_inventory.inventory_stock WHERE gate_mode <> 'REDIS') THEN
    RETURN 0;
  END IF;
  PERFORM pg_advisory_xact_lock_shared(ops.gate_lock_key());
  WITH due AS (
    SELECT e.id FROM tinystore_inventory.gate_effect e
    JOIN tinystore_inventory.inventory_stock s ON s.shop_id = e.shop_id AND s.sku_id = e.sku_id
    WHERE e.status = 'PENDING' AND e.kind <> 'REMOVE' AND s.gate_mode = 'DATABASE'
    ORDER BY e.id LIMIT p_limit
  )
  UPDATE tinystore_inventory.gate_effect e SET status = 'APPLIED', applied_at = ops.clock_now()
  FROM due d WHERE e.id = d.id AND e.status || '' = 'PENDING';
  GET DIAGNOSTICS marked = ROW_COUNT;
  RETURN marked;
END $$;
