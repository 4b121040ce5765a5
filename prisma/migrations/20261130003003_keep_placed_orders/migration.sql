-- C28, C30: what an order was placed for never changes under it. A SKU that has stock keeps its name, its shop and its
-- product (it is switched off by `active`); lines of a placed order keep their units and prices; whoever writes.
CREATE FUNCTION tinystore_order.keep_stocked_sku() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM tinystore_inventory.inventory_stock s WHERE s.shop_id = OLD.shop_id AND s.sku_id = OLD.id) THEN
    RAISE EXCEPTION 'SKU %/% has stock: it can be switched off, not renamed, moved or removed', OLD.shop_id, OLD.id
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER sku_kept BEFORE UPDATE OF shop_id, id, product_id OR DELETE ON tinystore_order.sku
  FOR EACH ROW EXECUTE FUNCTION tinystore_order.keep_stocked_sku();
CREATE TRIGGER inventory_stock_kept BEFORE UPDATE OF shop_id, sku_id OR DELETE ON tinystore_inventory.inventory_stock
  FOR EACH ROW EXECUTE FUNCTION ops.refuse_change();
CREATE TRIGGER order_line_kept
  BEFORE UPDATE OF shop_order_id, sku_id, name, quantity, unit_price_minor, discount_minor OR DELETE ON tinystore_order.order_line
  FOR EACH ROW EXECUTE FUNCTION ops.refuse_change();
CREATE TRIGGER order_line_hold_kept
  BEFORE UPDATE OF reservation_id, shop_order_id, trade_id, shop_id, sku_id, quantity, attempt OR DELETE ON tinystore_order.order_line_hold
  FOR EACH ROW EXECUTE FUNCTION ops.refuse_change();
