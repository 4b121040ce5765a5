-- Foundation: the tables of a first real order. One database, three schemas.
-- Hot tables carry no foreign keys: their rows are only ever written together, by one function each, and a
-- foreign key would add a locked look-up per row to the order path. CHECKs and unique keys stay everywhere.

CREATE SCHEMA IF NOT EXISTS tinystore_order;
CREATE SCHEMA IF NOT EXISTS tinystore_inventory;
CREATE SCHEMA IF NOT EXISTS ops;

-- ---------------------------------------------------------------- clock and guards

-- P42: the only clock. Test builds replace these two functions to move time; nothing else reads now().
CREATE FUNCTION ops.clock_offset_ms() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT 0::bigint $$;
CREATE FUNCTION ops.clock_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT now() $$;

-- The one advisory lock between order commits (shared) and rebuilds of the gate (exclusive): P10 to P12.
CREATE FUNCTION ops.gate_lock_key() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT 5210204873914613 $$;

CREATE FUNCTION ops.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

-- ---------------------------------------------------------------- catalogue

CREATE TABLE tinystore_order.shop (
  id         text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9._-]{1,64}$'),
  name       text NOT NULL,
  currency   char(3) NOT NULL,
  created_at timestamptz NOT NULL DEFAULT ops.clock_now()
);

CREATE TABLE tinystore_order.product (
  id          text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9._-]{1,64}$'),
  shop_id     text NOT NULL REFERENCES tinystore_order.shop (id),
  name        text NOT NULL,
  description text NOT NULL,
  art         text NOT NULL,
  position    integer NOT NULL DEFAULT 0,
  created_at  timestamptz NOT NULL DEFAULT ops.clock_now()
);
CREATE INDEX product_shop_id_position_idx ON tinystore_order.product (shop_id, position);

CREATE TABLE tinystore_order.sku (
  shop_id     text NOT NULL REFERENCES tinystore_order.shop (id),
  id          text NOT NULL CHECK (id ~ '^[A-Za-z0-9._-]{1,64}$'),
  product_id  text NOT NULL REFERENCES tinystore_order.product (id),
  name        text NOT NULL,
  price_minor bigint NOT NULL CHECK (price_minor BETWEEN 1 AND 99999999),
  active      boolean NOT NULL DEFAULT true,
  position    integer NOT NULL DEFAULT 0,
  created_at  timestamptz NOT NULL DEFAULT ops.clock_now(),
  PRIMARY KEY (shop_id, id)
);
CREATE INDEX sku_product_id_idx ON tinystore_order.sku (product_id);

-- ---------------------------------------------------------------- buyers and carts

CREATE TABLE tinystore_order.buyer (
  id         uuid PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT ops.clock_now()
);

CREATE TABLE tinystore_order.buyer_limit (
  buyer_id    uuid PRIMARY KEY,
  open_orders integer NOT NULL DEFAULT 0 CHECK (open_orders >= 0)
);

-- A cart is the buyer's current one until a paid trade names it.
CREATE TABLE tinystore_order.cart (
  id         uuid PRIMARY KEY,
  buyer_id   uuid NOT NULL REFERENCES tinystore_order.buyer (id),
  created_at timestamptz NOT NULL DEFAULT ops.clock_now()
);
CREATE INDEX cart_buyer_id_created_at_idx ON tinystore_order.cart (buyer_id, created_at);

CREATE TABLE tinystore_order.cart_line (
  cart_id  uuid NOT NULL REFERENCES tinystore_order.cart (id) ON DELETE CASCADE,
  shop_id  text NOT NULL,
  sku_id   text NOT NULL,
  quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 9999),
  added_at timestamptz NOT NULL DEFAULT ops.clock_now(),
  PRIMARY KEY (cart_id, shop_id, sku_id),
  FOREIGN KEY (shop_id, sku_id) REFERENCES tinystore_order.sku (shop_id, id)
);

-- ---------------------------------------------------------------- orders

CREATE TABLE tinystore_order.trade (
  id              uuid PRIMARY KEY,
  buyer_id        uuid NOT NULL,
  idempotency_key text NOT NULL CHECK (length(idempotency_key) BETWEEN 8 AND 128),
  fingerprint     text NOT NULL,
  cart_id         uuid,
  status          text NOT NULL DEFAULT 'UNPAID'
                  CHECK (status IN ('UNPAID', 'PAID_PENDING', 'PAID', 'SHIPPED', 'RECEIVED', 'CLOSED', 'REFUNDED')),
  close_reason    text CHECK (close_reason IN ('BUYER_CANCELLED', 'OPERATOR_CANCELLED', 'TIMED_OUT', 'OVER_ADMITTED', 'CONFIRM_CONFLICT')),
  currency        char(3) NOT NULL,
  total_minor     bigint NOT NULL CHECK (total_minor > 0),
  email           text,
  ship_to         jsonb,
  pay_until       timestamptz NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT ops.clock_now(),
  paid_at         timestamptz,
  closed_at       timestamptz,
  version         integer NOT NULL DEFAULT 1,
  UNIQUE (buyer_id, idempotency_key)
);
CREATE UNIQUE INDEX trade_one_unpaid_per_cart ON tinystore_order.trade (buyer_id, cart_id)
  WHERE status = 'UNPAID' AND cart_id IS NOT NULL;
CREATE INDEX trade_unpaid_pay_until ON tinystore_order.trade (pay_until) WHERE status = 'UNPAID';

CREATE TABLE tinystore_order.shop_order (
  id             uuid PRIMARY KEY,
  trade_id       uuid NOT NULL,
  shop_id        text NOT NULL,
  status         text NOT NULL DEFAULT 'RESERVING'
                 CHECK (status IN ('RESERVING', 'RESERVED', 'CONFIRMING', 'CONFIRMED', 'SHIPPED', 'RECEIVED', 'RELEASING', 'RELEASED', 'REFUNDED')),
  subtotal_minor bigint NOT NULL CHECK (subtotal_minor > 0),
  created_at     timestamptz NOT NULL DEFAULT ops.clock_now(),
  version        integer NOT NULL DEFAULT 1,
  UNIQUE (trade_id, shop_id)
);
-- P2: holds without a ledger row yet belong to shop orders in one of these two states.
CREATE INDEX shop_order_in_flight ON tinystore_order.shop_order (id) WHERE status IN ('RESERVING', 'RELEASING');

CREATE TABLE tinystore_order.order_line (
  shop_order_id    uuid NOT NULL,
  sku_id           text NOT NULL,
  name             text NOT NULL,
  quantity         integer NOT NULL CHECK (quantity BETWEEN 1 AND 9999),
  unit_price_minor bigint NOT NULL CHECK (unit_price_minor > 0),
  PRIMARY KEY (shop_order_id, sku_id)
);

-- Which reservation holds a line's units; at most one CURRENT row a line (P2, P13).
CREATE TABLE tinystore_order.order_line_hold (
  reservation_id uuid PRIMARY KEY,
  shop_order_id  uuid NOT NULL,
  trade_id       uuid NOT NULL,
  shop_id        text NOT NULL,
  sku_id         text NOT NULL,
  quantity       integer NOT NULL CHECK (quantity BETWEEN 1 AND 9999),
  attempt        integer NOT NULL DEFAULT 1,
  state          text NOT NULL DEFAULT 'CURRENT' CHECK (state IN ('INTENDED', 'CURRENT', 'PAST')),
  gate_mode      text NOT NULL CHECK (gate_mode IN ('REDIS', 'DATABASE')),
  epoch          bigint,
  generation     bigint,
  held_at        timestamptz NOT NULL DEFAULT ops.clock_now(),
  UNIQUE (shop_order_id, sku_id, attempt)
);
CREATE INDEX order_line_hold_trade_id_idx ON tinystore_order.order_line_hold (trade_id);

-- ---------------------------------------------------------------- payment

CREATE TABLE tinystore_order.payment_intent (
  id           uuid PRIMARY KEY,
  trade_id     uuid NOT NULL UNIQUE,
  status       text NOT NULL DEFAULT 'CREATED' CHECK (status IN ('CREATED', 'PROCESSING', 'FAILED', 'SUCCEEDED', 'CLOSED', 'REFUNDED')),
  attempt      integer NOT NULL DEFAULT 1 CHECK (attempt >= 1),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency     char(3) NOT NULL,
  expires_at   timestamptz NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT ops.clock_now(),
  updated_at   timestamptz NOT NULL DEFAULT ops.clock_now()
);

-- A verified notice of the provider, stored before it is judged. received_at decides lateness (P24).
CREATE TABLE tinystore_order.payment_event (
  event_id     text PRIMARY KEY,
  intent_ref   text NOT NULL,
  trade_id     uuid,
  kind         text NOT NULL CHECK (kind IN ('CREATED', 'PROCESSING', 'SUCCEEDED', 'FAILED')),
  attempt      integer NOT NULL,
  amount_minor bigint,
  currency     text,
  payload      jsonb NOT NULL,
  received_at  timestamptz NOT NULL DEFAULT ops.clock_now(),
  judged_at    timestamptz,
  verdict      text CHECK (verdict IN ('PAID', 'NOTED', 'FAILED', 'LATE', 'SECOND', 'AMOUNT_DIFFERS', 'UNMATCHED'))
);
CREATE INDEX payment_event_unjudged ON tinystore_order.payment_event (received_at) WHERE judged_at IS NULL;
CREATE INDEX payment_event_trade_id_idx ON tinystore_order.payment_event (trade_id);

-- Money that found its order closed, already paid or in conflict: one row a payment (P28, P30).
CREATE TABLE tinystore_order.late_payment (
  event_id     text PRIMARY KEY,
  trade_id     uuid NOT NULL,
  cause        text NOT NULL CHECK (cause IN ('LATE', 'SECOND', 'CONFIRM_CONFLICT')),
  status       text NOT NULL DEFAULT 'REFUND_DUE' CHECK (status IN ('REFUND_DUE')),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency     text NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT ops.clock_now()
);
CREATE INDEX late_payment_trade_id_idx ON tinystore_order.late_payment (trade_id);

-- ---------------------------------------------------------------- outbox

-- Half of each page is left free, so that a claim writes its new row version beside the old one and no index.
CREATE TABLE tinystore_order.outbox_event (
  id            bigint GENERATED ALWAYS AS IDENTITY (CACHE 1) PRIMARY KEY,
  event_id      uuid NOT NULL,
  type          text NOT NULL,
  topic         text NOT NULL,
  key           text NOT NULL,
  trace_id      text NOT NULL,
  payload       jsonb NOT NULL,
  occurred_at   timestamptz NOT NULL DEFAULT ops.clock_now(),
  status        text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'SENT', 'PARKED')),
  claim         uuid,
  partition     integer,
  "offset"      bigint,
  sent_at       timestamptz,
  parked_reason text
) WITH (fillfactor = 50);
CREATE INDEX outbox_event_pending ON tinystore_order.outbox_event (id) WHERE status = 'PENDING';
CREATE INDEX outbox_event_parked ON tinystore_order.outbox_event (key, id) WHERE status = 'PARKED';

-- ---------------------------------------------------------------- ledger

CREATE TABLE tinystore_inventory.inventory_stock (
  shop_id            text NOT NULL,
  sku_id             text NOT NULL,
  total_quantity     bigint NOT NULL CHECK (total_quantity >= 0),
  reserved_quantity  bigint NOT NULL DEFAULT 0,
  confirmed_quantity bigint NOT NULL DEFAULT 0 CHECK (confirmed_quantity >= 0),
  gate_mode          text NOT NULL DEFAULT 'REDIS' CHECK (gate_mode IN ('REDIS', 'DATABASE', 'SWITCHING')),
  generation         bigint NOT NULL DEFAULT 1,
  version            bigint NOT NULL DEFAULT 1,
  PRIMARY KEY (shop_id, sku_id),
  CONSTRAINT reserved_fits_total CHECK (reserved_quantity BETWEEN 0 AND total_quantity),
  CONSTRAINT capacity_limit CHECK (total_quantity + confirmed_quantity <= 999999999999)
) WITH (fillfactor = 70);

CREATE TABLE tinystore_inventory.inventory_reservation (
  reservation_id uuid PRIMARY KEY,
  shop_id        text NOT NULL,
  sku_id         text NOT NULL,
  quantity       bigint NOT NULL CHECK (quantity > 0),
  status         text NOT NULL CHECK (status IN ('PRE_DEDUCTED', 'CONFIRMED', 'RELEASED', 'EXPIRED')),
  expire_at      timestamptz,
  trade_id       uuid,
  order_id       uuid,
  operation_id   uuid,
  release_reason text,
  held_at        timestamptz NOT NULL DEFAULT ops.clock_now(),
  recorded_at    timestamptz NOT NULL DEFAULT ops.clock_now(),
  confirmed_at   timestamptz,
  ended_at       timestamptz,
  version        integer NOT NULL DEFAULT 1
) WITH (fillfactor = 80);
CREATE INDEX inventory_reservation_open ON tinystore_inventory.inventory_reservation (shop_id, sku_id) WHERE status = 'PRE_DEDUCTED';
CREATE INDEX inventory_reservation_trade_id_idx ON tinystore_inventory.inventory_reservation (trade_id);

-- Final states are final, whoever writes (invariant 5).
CREATE FUNCTION tinystore_inventory.keep_final_state() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'reservation % is % and final', OLD.reservation_id, OLD.status USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER inventory_reservation_final BEFORE UPDATE ON tinystore_inventory.inventory_reservation
  FOR EACH ROW WHEN (OLD.status <> 'PRE_DEDUCTED') EXECUTE FUNCTION tinystore_inventory.keep_final_state();

CREATE TABLE tinystore_inventory.stock_movement (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  shop_id        text NOT NULL,
  sku_id         text NOT NULL,
  kind           text NOT NULL CHECK (kind IN ('RECEIPT', 'CONFIRM')),
  quantity       bigint NOT NULL CHECK (CASE kind WHEN 'RECEIPT' THEN quantity > 0 ELSE quantity < 0 END),
  reservation_id uuid,
  operation_id   uuid,
  actor          text NOT NULL,
  at             timestamptz NOT NULL DEFAULT ops.clock_now()
);
CREATE UNIQUE INDEX stock_movement_once_per_reservation ON tinystore_inventory.stock_movement (reservation_id) WHERE kind = 'CONFIRM';
CREATE UNIQUE INDEX stock_movement_once_per_operation ON tinystore_inventory.stock_movement (operation_id) WHERE operation_id IS NOT NULL;
CREATE INDEX stock_movement_shop_id_sku_id_id_idx ON tinystore_inventory.stock_movement (shop_id, sku_id, id);
CREATE TRIGGER stock_movement_append_only BEFORE UPDATE OR DELETE ON tinystore_inventory.stock_movement
  FOR EACH ROW EXECUTE FUNCTION ops.refuse_change();

CREATE TABLE tinystore_inventory.inventory_reconcile_log (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id      uuid NOT NULL,
  kind        text NOT NULL CHECK (kind IN ('RUN', 'FINDING', 'REPAIR')),
  shop_id     text,
  sku_id      text,
  before      jsonb NOT NULL,
  after       jsonb NOT NULL,
  epoch       bigint,
  generation  bigint,
  version     bigint,
  explained   bigint NOT NULL DEFAULT 0,
  unexplained bigint NOT NULL DEFAULT 0,
  cause       text NOT NULL,
  actor       text NOT NULL,
  at          timestamptz NOT NULL DEFAULT ops.clock_now()
);
CREATE INDEX inventory_reconcile_log_run_id_idx ON tinystore_inventory.inventory_reconcile_log (run_id);
CREATE INDEX inventory_reconcile_log_shop_id_sku_id_id_idx ON tinystore_inventory.inventory_reconcile_log (shop_id, sku_id, id);
CREATE TRIGGER inventory_reconcile_log_append_only BEFORE UPDATE OR DELETE ON tinystore_inventory.inventory_reconcile_log
  FOR EACH ROW EXECUTE FUNCTION ops.refuse_change();

-- ---------------------------------------------------------------- gate

-- A change the ledger has committed and the gate still has to apply (P6, P18).
CREATE TABLE tinystore_inventory.gate_effect (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind           text NOT NULL CHECK (kind IN ('SETTLE', 'GIVE_BACK', 'RAISE', 'INSTALL', 'REMOVE')),
  shop_id        text NOT NULL,
  sku_id         text NOT NULL,
  reservation_id uuid,
  quantity       bigint,
  status         text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'APPLIED')),
  epoch          bigint,
  generation     bigint,
  created_at     timestamptz NOT NULL DEFAULT ops.clock_now(),
  applied_at     timestamptz,
  UNIQUE (reservation_id, kind),
  CONSTRAINT effect_names_its_hold CHECK ((kind IN ('SETTLE', 'GIVE_BACK')) = (reservation_id IS NOT NULL AND quantity IS NOT NULL))
);
CREATE INDEX gate_effect_pending ON tinystore_inventory.gate_effect (id) WHERE status = 'PENDING';

-- One row: which life of the gate is the present one, and on which server (P9, P10).
CREATE TABLE tinystore_inventory.gate_epoch (
  only_row        boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  epoch           bigint NOT NULL DEFAULT 0,
  open            boolean NOT NULL DEFAULT false,
  run_id          text,
  master_replid   text,
  opened_at       timestamptz,
  closed_reason   text,
  closed_reported timestamptz
);
INSERT INTO tinystore_inventory.gate_epoch DEFAULT VALUES;

-- Proof, for ever, that no order will name this hold (P17).
CREATE TABLE tinystore_inventory.abandoned_hold (
  reservation_id uuid PRIMARY KEY,
  shop_id        text NOT NULL,
  sku_id         text NOT NULL,
  quantity       bigint NOT NULL,
  cause          text NOT NULL CHECK (cause IN ('GHOST', 'OWN_RETRY')),
  abandoned_at   timestamptz NOT NULL DEFAULT ops.clock_now()
);

-- ---------------------------------------------------------------- stream and jobs

CREATE TABLE tinystore_inventory.inbox_event (
  consumer     text NOT NULL,
  event_id     uuid NOT NULL,
  processed_at timestamptz NOT NULL DEFAULT ops.clock_now(),
  PRIMARY KEY (consumer, event_id)
);

CREATE TABLE tinystore_inventory.dead_letter (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  consumer   text NOT NULL,
  event_id   uuid NOT NULL,
  type       text NOT NULL,
  topic      text NOT NULL,
  partition  integer NOT NULL,
  "offset"   bigint NOT NULL,
  key        text NOT NULL,
  body       text NOT NULL,
  reason     text NOT NULL,
  status     text NOT NULL DEFAULT 'DEAD' CHECK (status IN ('RETRYING', 'PARKED', 'DEAD', 'RESOLVED', 'DISCARDED')),
  attempts   integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT ops.clock_now(),
  updated_at timestamptz NOT NULL DEFAULT ops.clock_now(),
  UNIQUE (consumer, event_id)
);

CREATE TABLE tinystore_inventory.lease (
  name       text PRIMARY KEY,
  holder     text NOT NULL,
  expires_at timestamptz NOT NULL
);

CREATE TABLE tinystore_inventory.job_run (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job        text NOT NULL,
  worker     text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT ops.clock_now(),
  ended_at   timestamptz,
  outcome    text CHECK (outcome IN ('DONE', 'FAILED')),
  detail     jsonb
);
CREATE INDEX job_run_job_id_idx ON tinystore_inventory.job_run (job, id);

-- ---------------------------------------------------------------- operations

CREATE TABLE ops.audit_log (
  id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  actor  text NOT NULL,
  action text NOT NULL,
  target text NOT NULL,
  reason text NOT NULL,
  before jsonb NOT NULL,
  after  jsonb NOT NULL,
  at     timestamptz NOT NULL DEFAULT ops.clock_now()
);
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON ops.audit_log
  FOR EACH ROW EXECUTE FUNCTION ops.refuse_change();

CREATE TABLE ops.incident (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind      text NOT NULL,
  subject   text NOT NULL,
  status    text NOT NULL DEFAULT 'OPEN' CHECK (status IN ('OPEN', 'CLOSED')),
  detail    jsonb NOT NULL,
  opened_at timestamptz NOT NULL DEFAULT ops.clock_now(),
  closed_at timestamptz,
  closed_by text
);
CREATE UNIQUE INDEX incident_one_open_per_subject ON ops.incident (kind, subject) WHERE status = 'OPEN';
