-- live_holds: the one query of P2. A hold is live while a committed order line names it and its ledger row is
-- absent or PRE_DEDUCTED, whatever the trade's state. Two partial indexes carry it: shop orders in RESERVING or
-- RELEASING, anti-joined to reservations, and PRE_DEDUCTED rows. NULL for both arguments means every SKU.
-- Some SKUs and all SKUs are branches of their own: joined by one condition with OR, the second index was read from end
-- to end for every page of SKUs (measured: 100 000 SKUs with as many holds in pages of 200 compared in 23 s). OFFSET 0
-- keeps the planner at one look into the index for each SKU.
CREATE OR REPLACE FUNCTION tinystore_inventory.live_holds(p_shops text[], p_skus text[])
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
  FROM (SELECT DISTINCT u.shop_id, u.sku_id FROM unnest(p_shops, p_skus) AS u(shop_id, sku_id)) page
  CROSS JOIN LATERAL (
    SELECT * FROM tinystore_inventory.inventory_reservation i
    WHERE i.shop_id = page.shop_id AND i.sku_id = page.sku_id AND i.status = 'PRE_DEDUCTED' OFFSET 0
  ) r
  WHERE p_shops IS NOT NULL
  UNION ALL
  SELECT r.reservation_id, r.shop_id, r.sku_id, r.quantity, r.held_at, true
  FROM tinystore_inventory.inventory_reservation r
  WHERE p_shops IS NULL AND r.status = 'PRE_DEDUCTED'
$$;
