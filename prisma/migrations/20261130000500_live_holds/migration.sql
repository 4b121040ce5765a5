-- live_holds: the one query of P2. A hold is live while a committed order line names it and its ledger row is
-- absent or PRE_DEDUCTED, whatever the trade's state. Two partial indexes carry it: shop orders in RESERVING or
-- RELEASING, anti-joined to reservations, and PRE_DEDUCTED rows. NULL for both arguments means every SKU.
CREATE FUNCTION tinystore_inventory.live_holds(p_shops text[], p_skus text[])
RETURNS TABLE (reservation_id uuid, shop_id text, sku_id text, quantity bigint, held_at timestamptz, recorded boolean)
LANGUAGE sql STABLE AS $$
  SELECT h.reservation_id, h.shop_id, h.sku_id, h.quantity::bigint, h.held_at, false
  FROM tinystore_order.shop_order so
  JOIN tinystore_order.order_line_hold h ON h.shop_order_id = so.id AND h.state = 'CURRENT' AND h.gate_mode = 'REDIS'
  LEFT JOIN tinystore_inventory.inventory_reservation r ON r.reservation_id = h.reservation_id
  WHERE so.status IN ('RESERVING', 'RELEASING') AND r.reservation_id IS NULL
    AND (p_shops IS NULL OR (h.shop_id, h.sku_id) IN (SELECT * FROM unnest(p_shops, p_skus)))
  UNION ALL
  SELECT r.reservation_id, r.shop_id, r.sku_id, r.quantity, r.held_at, true
  FROM tinystore_inventory.inventory_reservation r
  WHERE r.status = 'PRE_DEDUCTED'
    AND (p_shops IS NULL OR (r.shop_id, r.sku_id) IN (SELECT * FROM unnest(p_shops, p_skus)))
$$;

-- raise_generations: the start of one try of INSTALL effects (P18, P20), in one short autocommitted call (P12). Under
-- the exclusive lock, while an effect is still PENDING and the epoch is the caller's, its SKU gets a generation of its
-- own: no (epoch, generation) is ever installed twice. Every order commit that will ever stand under an older
-- generation has ended when the lock is granted, and every later one is refused, so the ledger may be read after it.
CREATE FUNCTION tinystore_inventory.raise_generations(p_effects bigint[], p_epoch bigint)
RETURNS TABLE (shop_id text, sku_id text, generation bigint)
LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
BEGIN
  PERFORM pg_advisory_xact_lock(ops.gate_lock_key());
  RETURN QUERY
  WITH due AS (
    SELECT DISTINCT e.shop_id, e.sku_id FROM tinystore_inventory.gate_effect e, tinystore_inventory.gate_epoch g
    WHERE e.id = ANY (p_effects) AND e.kind = 'INSTALL' AND e.status || '' = 'PENDING' AND g.epoch = p_epoch AND g.open
  ), locked AS (
    SELECT s.shop_id, s.sku_id FROM tinystore_inventory.inventory_stock s JOIN due d USING (shop_id, sku_id)
    WHERE s.gate_mode = 'REDIS' ORDER BY s.shop_id, s.sku_id FOR UPDATE OF s
  )
  UPDATE tinystore_inventory.inventory_stock s SET generation = s.generation + 1
  FROM locked l WHERE s.shop_id = l.shop_id AND s.sku_id = l.sku_id
  RETURNING s.shop_id, s.sku_id, s.generation;
END $$;
