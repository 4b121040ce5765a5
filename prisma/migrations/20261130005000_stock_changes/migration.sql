-- Stock changed by people (P4): one row an operation, with actor, reason, and the stock before and after.

CREATE TABLE tinystore_inventory.stock_import (
  id          uuid PRIMARY KEY,
  file_name   text NOT NULL,
  fingerprint text NOT NULL,
  status      text NOT NULL DEFAULT 'REVIEW' CHECK (status IN ('REVIEW', 'APPLYING', 'APPLIED', 'UNDOING', 'UNDONE', 'DISCARDED')),
  actor       text NOT NULL,
  reason      text NOT NULL CHECK (btrim(reason) <> ''),
  created_at  timestamptz NOT NULL DEFAULT ops.clock_now(),
  changed_at  timestamptz NOT NULL DEFAULT ops.clock_now()
);
-- A file counts once, until it is discarded or undone (C07).
CREATE UNIQUE INDEX stock_import_once_per_file ON tinystore_inventory.stock_import (fingerprint) WHERE status NOT IN ('DISCARDED', 'UNDONE');
CREATE INDEX stock_import_created_at_idx ON tinystore_inventory.stock_import (created_at);

CREATE TABLE tinystore_inventory.stock_import_row (
  import_id         uuid NOT NULL REFERENCES tinystore_inventory.stock_import (id),
  line              integer NOT NULL,
  ref               text NOT NULL,
  shop_id           text NOT NULL,
  sku_id            text NOT NULL,
  change            bigint NOT NULL CHECK (change BETWEEN -999999999999 AND 999999999999 AND change <> 0),
  status            text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'CLAIMED', 'APPLIED', 'REFUSED', 'UNDONE')),
  refusal           text,
  -- Minted with the row, so that a repeat of apply or undo books nothing twice.
  operation_id      uuid NOT NULL UNIQUE,
  undo_operation_id uuid NOT NULL UNIQUE,
  PRIMARY KEY (import_id, line)
);
-- A row's own reference counts once over all files, until it is undone (C07, C08). It is claimed before it is booked.
CREATE UNIQUE INDEX stock_import_row_once_per_ref ON tinystore_inventory.stock_import_row (ref) WHERE status IN ('CLAIMED', 'APPLIED');

CREATE TABLE tinystore_inventory.stock_operation (
  id             uuid PRIMARY KEY,
  kind           text NOT NULL CHECK (kind IN ('RECEIPT', 'WRITE_OFF', 'RECOUNT', 'IMPORT', 'UNDO')),
  shop_id        text NOT NULL,
  sku_id         text NOT NULL,
  quantity       bigint NOT NULL CHECK (quantity <> 0 AND (kind <> 'RECEIPT' OR quantity > 0) AND (kind <> 'WRITE_OFF' OR quantity < 0)),
  reservation_id uuid UNIQUE,
  import_id      uuid REFERENCES tinystore_inventory.stock_import (id),
  total_before   bigint NOT NULL,
  total_after    bigint NOT NULL,
  actor          text NOT NULL CHECK (btrim(actor) <> ''),
  reason         text NOT NULL CHECK (btrim(reason) <> ''),
  at             timestamptz NOT NULL DEFAULT ops.clock_now(),
  -- What goes out was taken first: it has a reservation, what comes in has none.
  CONSTRAINT taken_to_leave CHECK ((quantity < 0) = (reservation_id IS NOT NULL)),
  CONSTRAINT adds_up CHECK (total_after = total_before + quantity)
);
CREATE INDEX stock_operation_at_idx ON tinystore_inventory.stock_operation (at);
CREATE TRIGGER stock_operation_append_only BEFORE UPDATE OR DELETE ON tinystore_inventory.stock_operation
  FOR EACH ROW EXECUTE FUNCTION ops.refuse_change();

-- Receipts from before this table.
INSERT INTO tinystore_inventory.stock_operation (id, kind, shop_id, sku_id, quantity, total_before, total_after, actor, reason, at)
SELECT m.operation_id, 'RECEIPT', m.shop_id, m.sku_id, m.quantity, m.before, m.before + m.quantity, m.actor, 'booked before operations were kept', m.at
FROM (SELECT *, coalesce(sum(quantity) OVER (PARTITION BY shop_id, sku_id ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
      FROM tinystore_inventory.stock_movement) m
WHERE m.kind = 'RECEIPT' AND m.operation_id IS NOT NULL;

-- Movements: SHRINK is what a write-off takes out; RESTOCK is what a return puts back.
ALTER TABLE tinystore_inventory.stock_movement DROP CONSTRAINT IF EXISTS stock_movement_kind_check;
ALTER TABLE tinystore_inventory.stock_movement DROP CONSTRAINT IF EXISTS stock_movement_check;
ALTER TABLE tinystore_inventory.stock_movement
  ADD CONSTRAINT stock_movement_kind_check CHECK (kind IN ('RECEIPT', 'CONFIRM', 'SHRINK', 'RESTOCK')),
  ADD CONSTRAINT stock_movement_check CHECK (CASE WHEN kind IN ('RECEIPT', 'RESTOCK') THEN quantity > 0 ELSE quantity < 0 END);

-- The lock of one operation: its fenced transaction and whoever settles its fate after an unknown answer take it.
CREATE FUNCTION tinystore_inventory.lock_operation(operation uuid) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT hashtext(operation::text) $$;

-- write_off: the fenced transaction of P4 and P11, one autocommitted call. The units were taken at the gate under
-- p_epoch and p_generation (NULL for a SKU in mode DATABASE, whose conditional UPDATE takes them here).
-- The shared lock is a statement of its own; everything after it sees what committed before it was granted.
-- Nothing is written unless the outcome is DONE. Lock order (P12): gate lock, operation, reservation, stock.
CREATE FUNCTION tinystore_inventory.write_off(
  p_operation_id uuid, p_kind text, p_reservation_id uuid, p_shop_id text, p_sku_id text, p_quantity bigint,
  p_expected_version bigint, p_epoch bigint, p_generation bigint, p_import_id uuid, p_actor text, p_reason text
) RETURNS TABLE (outcome text, total bigint, reserved bigint)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' AS $$
#variable_conflict use_column
DECLARE
  stock tinystore_inventory.inventory_stock;
  known tinystore_inventory.stock_operation;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(ops.gate_lock_key());
  PERFORM pg_advisory_xact_lock(2, tinystore_inventory.lock_operation(p_operation_id));

  SELECT * INTO known FROM tinystore_inventory.stock_operation o WHERE o.id = p_operation_id;
  IF FOUND THEN
    RETURN QUERY SELECT CASE WHEN (known.kind, known.shop_id, known.sku_id, known.quantity) = (p_kind, p_shop_id, p_sku_id, -p_quantity)
      THEN 'REPEATED' ELSE 'MISMATCH' END, known.total_after, 0::bigint;
    RETURN;
  END IF;

  SELECT * INTO stock FROM tinystore_inventory.inventory_stock s WHERE s.shop_id = p_shop_id AND s.sku_id = p_sku_id FOR UPDATE;
  outcome := CASE
    WHEN stock.sku_id IS NULL THEN 'UNKNOWN_SKU'
    WHEN stock.gate_mode <> CASE WHEN p_epoch IS NULL THEN 'DATABASE' ELSE 'REDIS' END THEN 'STALE'
    WHEN p_epoch IS NOT NULL AND (stock.generation <> p_generation
      OR NOT EXISTS (SELECT FROM tinystore_inventory.gate_epoch g WHERE g.open AND g.epoch = p_epoch)) THEN 'STALE'
    WHEN EXISTS (SELECT FROM tinystore_inventory.abandoned_hold a WHERE a.reservation_id = p_reservation_id)
      OR EXISTS (SELECT FROM tinystore_order.order_line_hold h WHERE h.reservation_id = p_reservation_id)
      OR EXISTS (SELECT FROM tinystore_inventory.inventory_reservation r WHERE r.reservation_id = p_reservation_id) THEN 'ABANDONED'
    WHEN stock.version <> p_expected_version THEN 'STALE_VERSION'
    WHEN stock.total_quantity - stock.reserved_quantity < p_quantity THEN 'BELOW_HELD'
    ELSE 'DONE'
  END;
  IF outcome <> 'DONE' THEN
    RETURN QUERY SELECT outcome, stock.total_quantity, stock.reserved_quantity;
    RETURN;
  END IF;

  INSERT INTO tinystore_inventory.inventory_reservation
    (reservation_id, shop_id, sku_id, quantity, status, operation_id, confirmed_at)
  VALUES (p_reservation_id, p_shop_id, p_sku_id, p_quantity, 'CONFIRMED', p_operation_id, ops.clock_now());
  UPDATE tinystore_inventory.inventory_stock s
  SET total_quantity = s.total_quantity - p_quantity, confirmed_quantity = s.confirmed_quantity + p_quantity, version = s.version + 1
  WHERE s.shop_id = p_shop_id AND s.sku_id = p_sku_id;
  INSERT INTO tinystore_inventory.stock_movement (shop_id, sku_id, kind, quantity, reservation_id, operation_id, actor)
  VALUES (p_shop_id, p_sku_id, 'SHRINK', -p_quantity, p_reservation_id, p_operation_id, p_actor);
  INSERT INTO tinystore_inventory.gate_effect (kind, shop_id, sku_id, reservation_id, quantity)
  VALUES ('SETTLE', p_shop_id, p_sku_id, p_reservation_id, p_quantity);
  INSERT INTO tinystore_inventory.stock_operation
    (id, kind, shop_id, sku_id, quantity, reservation_id, import_id, total_before, total_after, actor, reason)
  VALUES (p_operation_id, p_kind, p_shop_id, p_sku_id, -p_quantity, p_reservation_id, p_import_id,
    stock.total_quantity, stock.total_quantity - p_quantity, p_actor, p_reason);
  INSERT INTO ops.audit_log (actor, action, target, reason, before, after)
  VALUES (p_actor, 'stock.' || lower(p_kind), p_shop_id || '/' || p_sku_id, p_reason,
    jsonb_build_object('totalQuantity', stock.total_quantity),
    jsonb_build_object('totalQuantity', stock.total_quantity - p_quantity, 'operationId', p_operation_id));
  RETURN QUERY SELECT 'DONE'::text, stock.total_quantity - p_quantity, stock.reserved_quantity;
END $$;
