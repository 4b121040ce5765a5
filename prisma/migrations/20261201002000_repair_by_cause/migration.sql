-- Repair by cause (P37): the missing effect again, the re-install above whatever stands at the gate, the log by kind.

-- The runs, newest first, among any number of findings.
CREATE INDEX inventory_reconcile_log_kind_id_idx ON tinystore_inventory.inventory_reconcile_log (kind, id);

-- P37: the gate still holds what the ledger has ended. The same effect of the same final row is to be applied once more:
-- put back to PENDING when it was marked, inserted when its row is gone (P6: one a reservation and kind). Rows that are
-- not final, not of this SKU, or still pending are passed over. The repair is logged in the same call.
CREATE FUNCTION tinystore_inventory.issue_effects_again(
  p_shop_id text, p_sku_id text, p_reservations uuid[],
  p_run_id uuid, p_actor text, p_cause text, p_before jsonb,
  p_epoch bigint, p_generation bigint, p_version bigint, p_unexplained bigint
) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  issued bigint;
BEGIN
  INSERT INTO tinystore_inventory.gate_effect (kind, shop_id, sku_id, reservation_id, quantity)
  SELECT CASE r.status WHEN 'CONFIRMED' THEN 'SETTLE' ELSE 'GIVE_BACK' END, r.shop_id, r.sku_id, r.reservation_id, r.quantity
  FROM tinystore_inventory.inventory_reservation r
  WHERE r.reservation_id = ANY (p_reservations) AND r.shop_id = p_shop_id AND r.sku_id = p_sku_id
    AND r.status IN ('CONFIRMED', 'RELEASED', 'EXPIRED')
  ORDER BY r.reservation_id
  ON CONFLICT (reservation_id, kind) DO UPDATE SET status = 'PENDING', epoch = NULL, generation = NULL, applied_at = NULL
    WHERE gate_effect.status = 'APPLIED';
  GET DIAGNOSTICS issued = ROW_COUNT;
  IF issued > 0 THEN
    INSERT INTO tinystore_inventory.inventory_reconcile_log
      (run_id, kind, shop_id, sku_id, before, after, epoch, generation, version, unexplained, cause, actor)
    VALUES (p_run_id, 'REPAIR', p_shop_id, p_sku_id, p_before, jsonb_build_object('action', 'EFFECTS', 'effects', issued),
      p_epoch, p_generation, p_version, p_unexplained, p_cause, p_actor);
  END IF;
  RETURN issued;
END $$;

-- P20, as before, and above a generation that the gate has and the ledger does not know: an install needs a greater one (P18).
DROP FUNCTION tinystore_inventory.reinstall_sku(text, text, bigint, uuid, text, text, jsonb, bigint, bigint, bigint);
CREATE FUNCTION tinystore_inventory.reinstall_sku(
  p_shop_id text, p_sku_id text, p_generation bigint, p_gate_generation bigint,
  p_run_id uuid, p_actor text, p_cause text, p_before jsonb, p_epoch bigint, p_version bigint, p_unexplained bigint
) RETURNS bigint LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' AS $$
DECLARE
  stock tinystore_inventory.inventory_stock;
BEGIN
  PERFORM pg_advisory_xact_lock(ops.gate_lock_key());
  UPDATE tinystore_inventory.inventory_stock
  SET generation = greatest(generation, p_gate_generation) + 1, version = version + 1
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
