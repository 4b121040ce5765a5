-- Money on its way back (P29, P30, P31). The id is the provider's idempotency key: however often a refund is sent, it
-- is one. event_id names the payment that brought the money.
CREATE TABLE tinystore_order.refund (
  id              uuid PRIMARY KEY,
  trade_id        uuid,
  shop_order_id   uuid,
  event_id        text NOT NULL,
  cause           text NOT NULL CHECK (cause IN ('LATE', 'SECOND', 'CONFIRM_CONFLICT', 'AMOUNT_DIFFERS', 'UNMATCHED', 'CUSTOMER', 'CANCELLED')),
  amount_minor    bigint NOT NULL CHECK (amount_minor > 0),
  currency        text NOT NULL,
  status          text NOT NULL DEFAULT 'REQUESTED' CHECK (status IN ('REQUESTED', 'SENT', 'SUCCEEDED', 'FAILED')),
  attempts        integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT ops.clock_now(),
  provider_ref    text,
  failure         text,
  reason          text NOT NULL CHECK (btrim(reason) <> ''),
  actor           text NOT NULL CHECK (btrim(actor) <> ''),
  idempotency_key text NOT NULL UNIQUE CHECK (length(idempotency_key) BETWEEN 8 AND 200),
  created_at      timestamptz NOT NULL DEFAULT ops.clock_now(),
  updated_at      timestamptz NOT NULL DEFAULT ops.clock_now(),
  succeeded_at    timestamptz,
  CONSTRAINT refund_belongs_to_an_order CHECK (trade_id IS NOT NULL OR (shop_order_id IS NULL AND cause = 'UNMATCHED')),
  CONSTRAINT refund_success_has_its_time CHECK ((status = 'SUCCEEDED') = (succeeded_at IS NOT NULL))
);
CREATE INDEX refund_due ON tinystore_order.refund (next_attempt_at) WHERE status IN ('REQUESTED', 'SENT', 'FAILED');
CREATE INDEX refund_trade_id_idx ON tinystore_order.refund (trade_id);
CREATE INDEX refund_event_id_idx ON tinystore_order.refund (event_id);

-- Money that is back stays back, whoever writes.
CREATE FUNCTION tinystore_order.keep_final_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'refund % has succeeded and is final', OLD.id USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER refund_final BEFORE UPDATE ON tinystore_order.refund
  FOR EACH ROW WHEN (OLD.status = 'SUCCEEDED') EXECUTE FUNCTION tinystore_order.keep_final_refund();
