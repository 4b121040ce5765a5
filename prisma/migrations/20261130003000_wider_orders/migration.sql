-- Wider orders: goods that the database itself reserves, limits a SKU, coupons.

-- ---------------------------------------------------------------- DATABASE mode

-- The gatekeeper marks effects of these SKUs without Redis (P18), and the job looks for switches that stopped half-way.
CREATE INDEX inventory_stock_not_at_gate ON tinystore_inventory.inventory_stock (shop_id, sku_id) WHERE gate_mode <> 'REDIS';

-- ---------------------------------------------------------------- limits (P23)

ALTER TABLE tinystore_order.sku
  ADD COLUMN order_limit          integer CHECK (order_limit > 0),
  ADD COLUMN buyer_limit          integer CHECK (buyer_limit > 0),
  ADD COLUMN buyer_window_seconds integer CHECK (buyer_window_seconds > 0),
  ADD CONSTRAINT buyer_limit_has_window CHECK ((buyer_limit IS NULL) = (buyer_window_seconds IS NULL));

-- Units of a limited SKU that a buyer has ordered in one window. A window opens with the first order after the last one
-- has ended. The buyer's row of buyer_limit is the lock of these rows.
CREATE TABLE tinystore_order.buyer_sku_limit (
  buyer_id     uuid NOT NULL,
  shop_id      text NOT NULL,
  sku_id       text NOT NULL,
  window_start timestamptz NOT NULL,
  window_end   timestamptz NOT NULL,
  units        bigint NOT NULL CHECK (units >= 0),
  PRIMARY KEY (buyer_id, shop_id, sku_id, window_start),
  CHECK (window_end > window_start)
);

-- ---------------------------------------------------------------- coupons

CREATE TABLE tinystore_order.coupon (
  code         text PRIMARY KEY CHECK (code ~ '^[A-Za-z0-9._-]{1,64}$'),
  kind         text NOT NULL CHECK (kind IN ('FIXED', 'PERCENT')),
  -- Minor units off for FIXED, percent off for PERCENT: never the whole price.
  value        bigint NOT NULL CHECK (value > 0 AND (kind = 'FIXED' OR value < 100)),
  currency     char(3),
  usage_limit  integer NOT NULL CHECK (usage_limit > 0),
  used         integer NOT NULL DEFAULT 0,
  valid_from   timestamptz NOT NULL DEFAULT ops.clock_now(),
  valid_until  timestamptz NOT NULL,
  active       boolean NOT NULL DEFAULT true,
  created_at   timestamptz NOT NULL DEFAULT ops.clock_now(),
  CONSTRAINT used_within_limit CHECK (used BETWEEN 0 AND usage_limit),
  CONSTRAINT fixed_has_currency CHECK ((kind = 'FIXED') = (currency IS NOT NULL))
);

-- The order's side: one row a trade with a coupon. `remote`: the promotion stage counts the use and answers by events.
CREATE TABLE tinystore_order.promotion_lock (
  trade_id       uuid PRIMARY KEY,
  coupon_code    text NOT NULL,
  discount_minor bigint NOT NULL CHECK (discount_minor > 0),
  status         text NOT NULL CHECK (status IN ('PENDING', 'LOCKED', 'COMMITTED', 'RELEASED', 'REJECTED')),
  remote         boolean NOT NULL,
  created_at     timestamptz NOT NULL DEFAULT ops.clock_now(),
  updated_at     timestamptz NOT NULL DEFAULT ops.clock_now()
);
CREATE INDEX promotion_lock_pending ON tinystore_order.promotion_lock (created_at) WHERE status = 'PENDING';
CREATE INDEX promotion_lock_coupon_code_idx ON tinystore_order.promotion_lock (coupon_code);

-- The promotion's side of remote locks: what became of each request, once for ever (its receipts).
CREATE TABLE tinystore_order.coupon_use (
  trade_id    uuid PRIMARY KEY,
  coupon_code text NOT NULL,
  status      text NOT NULL CHECK (status IN ('LOCKED', 'COMMITTED', 'RELEASED', 'REJECTED')),
  created_at  timestamptz NOT NULL DEFAULT ops.clock_now(),
  updated_at  timestamptz NOT NULL DEFAULT ops.clock_now()
);
CREATE INDEX coupon_use_coupon_code_idx ON tinystore_order.coupon_use (coupon_code);

-- Totals are what is to be paid; the discount stands beside them. A shop's or a line's share may come to nothing.
ALTER TABLE tinystore_order.trade
  ADD COLUMN discount_minor bigint NOT NULL DEFAULT 0 CHECK (discount_minor >= 0),
  DROP CONSTRAINT trade_close_reason_check,
  ADD CONSTRAINT trade_close_reason_check CHECK (close_reason IN
    ('BUYER_CANCELLED', 'OPERATOR_CANCELLED', 'TIMED_OUT', 'OVER_ADMITTED', 'CONFIRM_CONFLICT', 'PAYMENT_RETURNED',
     'PROMOTION_REJECTED', 'PROMOTION_TIMED_OUT'));
ALTER TABLE tinystore_order.shop_order
  ADD COLUMN discount_minor bigint NOT NULL DEFAULT 0 CHECK (discount_minor >= 0),
  DROP CONSTRAINT shop_order_subtotal_minor_check,
  ADD CONSTRAINT shop_order_subtotal_minor_check CHECK (subtotal_minor >= 0 AND subtotal_minor + discount_minor > 0);
ALTER TABLE tinystore_order.order_line
  ADD COLUMN discount_minor bigint NOT NULL DEFAULT 0,
  ADD CONSTRAINT discount_within_line CHECK (discount_minor BETWEEN 0 AND quantity * unit_price_minor);
-- Nobody gets back what the coupon paid (P31).
ALTER TABLE tinystore_order.order_line
  DROP CONSTRAINT refunded_within_paid,
  ADD CONSTRAINT refunded_within_paid CHECK (refunded_minor BETWEEN 0 AND quantity * unit_price_minor - discount_minor);
