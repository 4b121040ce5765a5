-- What of a line has come back, and what money was ever asked back for it (P31). Money and units that are promised
-- count from the promise: a refund that failed is sent again.
ALTER TABLE tinystore_order.order_line
  ADD COLUMN returned_quantity integer NOT NULL DEFAULT 0,
  ADD COLUMN restocked_quantity integer NOT NULL DEFAULT 0,
  ADD COLUMN refunded_minor bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT restocked_within_returned_within_sold CHECK (0 <= restocked_quantity AND restocked_quantity <= returned_quantity AND returned_quantity <= quantity),
  ADD CONSTRAINT refunded_within_paid CHECK (refunded_minor BETWEEN 0 AND quantity * unit_price_minor);

ALTER TABLE tinystore_order.shop_order
  ADD COLUMN carrier text,
  ADD COLUMN tracking_code text,
  ADD COLUMN shipped_at timestamptz,
  ADD COLUMN received_at timestamptz,
  ADD CONSTRAINT shipped_has_its_time CHECK (status NOT IN ('SHIPPED', 'RECEIVED') OR shipped_at IS NOT NULL),
  ADD CONSTRAINT received_has_its_time CHECK (status <> 'RECEIVED' OR received_at IS NOT NULL);
CREATE INDEX shop_order_on_its_way ON tinystore_order.shop_order (shipped_at) WHERE status = 'SHIPPED';

-- Units that come back, or that a buyer wants to send back. The id is the operation id of its restock (C07).
CREATE TABLE tinystore_order.return_item (
  id            uuid PRIMARY KEY,
  trade_id      uuid NOT NULL,
  shop_order_id uuid NOT NULL,
  sku_id        text NOT NULL,
  quantity      integer NOT NULL CHECK (quantity BETWEEN 1 AND 9999),
  status        text NOT NULL DEFAULT 'REQUESTED' CHECK (status IN ('REQUESTED', 'REFUSED', 'RECEIVED', 'REFUNDED')),
  units         text CHECK (units IN ('RESTOCK', 'NO_RESTOCK', 'DAMAGED')),
  refund_id     uuid,
  reason        text NOT NULL CHECK (btrim(reason) <> ''),
  answer        text,
  asked_by      text NOT NULL,
  answered_by   text,
  created_at    timestamptz NOT NULL DEFAULT ops.clock_now(),
  updated_at    timestamptz NOT NULL DEFAULT ops.clock_now(),
  CONSTRAINT received_units_have_a_place CHECK ((status IN ('RECEIVED', 'REFUNDED')) = (units IS NOT NULL)),
  CONSTRAINT refund_follows_receipt CHECK (refund_id IS NULL OR status IN ('RECEIVED', 'REFUNDED')),
  FOREIGN KEY (shop_order_id, sku_id) REFERENCES tinystore_order.order_line (shop_order_id, sku_id)
);
CREATE INDEX return_item_trade_id_idx ON tinystore_order.return_item (trade_id);
CREATE INDEX return_item_refund_id_idx ON tinystore_order.return_item (refund_id);

-- Which lines a refund pays for; the amounts of its lines are the amount of the refund.
CREATE TABLE tinystore_order.refund_line (
  refund_id     uuid NOT NULL REFERENCES tinystore_order.refund (id),
  shop_order_id uuid NOT NULL,
  sku_id        text NOT NULL,
  quantity      integer NOT NULL CHECK (quantity BETWEEN 0 AND 9999),
  amount_minor  bigint NOT NULL CHECK (amount_minor > 0),
  PRIMARY KEY (refund_id, sku_id),
  FOREIGN KEY (shop_order_id, sku_id) REFERENCES tinystore_order.order_line (shop_order_id, sku_id)
);
CREATE INDEX refund_line_shop_order_id_sku_id_idx ON tinystore_order.refund_line (shop_order_id, sku_id);

-- Refunds and returns that were asked for under a key, each with the one answer it got.
CREATE TABLE tinystore_order.after_sale_command (
  trade_id        uuid NOT NULL,
  idempotency_key text NOT NULL CHECK (length(idempotency_key) BETWEEN 8 AND 64),
  fingerprint     text NOT NULL,
  answer          jsonb NOT NULL,
  actor           text NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT ops.clock_now(),
  PRIMARY KEY (trade_id, idempotency_key)
);

-- Units put in (RECEIPT, RESTOCK) and taken out (CONFIRM, SHRINK).
ALTER TABLE tinystore_inventory.stock_movement
  DROP CONSTRAINT stock_movement_kind_check, DROP CONSTRAINT stock_movement_check,
  ADD CONSTRAINT stock_movement_kind_check CHECK (kind IN ('RECEIPT', 'CONFIRM', 'RESTOCK', 'SHRINK')),
  ADD CONSTRAINT stock_movement_check CHECK (CASE WHEN kind IN ('RECEIPT', 'RESTOCK') THEN quantity > 0 ELSE quantity < 0 END);
