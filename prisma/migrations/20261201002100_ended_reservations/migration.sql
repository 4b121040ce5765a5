-- What was held at a past instant and has ended since (console, "explain this number"). Sold rows are found by their
-- movement, so the confirm path writes no index entry more.
CREATE INDEX inventory_reservation_ended ON tinystore_inventory.inventory_reservation (shop_id, sku_id, ended_at)
  WHERE ended_at IS NOT NULL;
