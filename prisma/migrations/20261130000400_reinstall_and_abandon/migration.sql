-- The two short actions of sweep and repair under the exclusive gate lock (P12, P17, P20). Each is one function,
-- called autocommitted: a process that pauses between two round trips can never sit on the lock.
-- The lock is a statement of its own: what follows sees everything that committed before it was granted.

-- P20: loads one SKU anew. Does nothing unless the row still has the generation that was judged and mode REDIS.
-- Returns the new generation, or NULL when another process was faster. The repair is logged in the same
-- transaction (P37).
CREATE FUNCTION tinystore_inventory.reinstall_sku(
  p_shop_id text, p_sku_id text, p_generation bigint,
  p_run_id uuid, p_actor text, p_cause text, p_before jsonb, p_epoch bigint, p_version bigint, p_unexplained bigint
) RETURNS bigint LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' AS $$
DECLARE
  stock tinystore_inventory.inventory_stock;
BEGIN
  PERFORM pg_advisory_xact_lock(ops.gate_lock_key());
  UPDATE tinystore_inventory.inventory_stock SET generation = generation + 1, version = version + 1
  WHERE shop_id = p_shop_id AND sku_id = p_sku_id AND generation = p_generation AND gate_mode = 'REDIS'
  RETURNING * INTO stock;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  INSERT INTO tinystore_inventory.gate_effect (kind, shop_id, sku_id) VALUES ('INSTALL', p_shop_id, p_sku_id);
  INSERT INTO tinystore_inventory.inventory_reconcile_log
    (run_id, kind, shop_id, sku_id, before, after, epoch, generation, version, unexplained, cause, actor)
  VALUES (p_run_id, 'REPAIR', p_shop_id, p_sku_id, p_before,
    jsonb_build_object('action', 'INSTALL', 'generation', stock.generation, 'totalQuantity', stock.total_quantity,
      'reservedQuantity', stock.reserved_quantity, 'confirmedQuantity', stock.confirmed_quantity),
    p_epoch, stock.generation, p_version, p_unexplained, p_cause, p_actor);
  RETURN stock.generation;
END $$;

-- P17: writes the abandonment rows of holds that no order line and no ledger row names, read again under the lock.
-- Returns the ids that are abandoned now, those of an earlier or parallel run included.
CREATE FUNCTION tinystore_inventory.abandon_holds(
  p_reservation_ids uuid[], p_shop_ids text[], p_sku_ids text[], p_quantities bigint[]
) RETURNS SETOF uuid LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(ops.gate_lock_key());
  INSERT INTO tinystore_inventory.abandoned_hold (reservation_id, shop_id, sku_id, quantity, cause)
  SELECT c.id, c.shop_id, c.sku_id, c.quantity, 'GHOST'
  FROM unnest(p_reservation_ids, p_shop_ids, p_sku_ids, p_quantities) AS c(id, shop_id, sku_id, quantity)
  WHERE NOT EXISTS (SELECT FROM tinystore_order.order_line_hold h WHERE h.reservation_id = c.id)
    AND NOT EXISTS (SELECT FROM tinystore_inventory.inventory_reservation r WHERE r.reservation_id = c.id)
  ORDER BY c.id
  ON CONFLICT DO NOTHING;
  RETURN QUERY SELECT a.reservation_id FROM tinystore_inventory.abandoned_hold a WHERE a.reservation_id = ANY (p_reservation_ids);
END $$;
