-- Payments, second half: what the provider calls our intents, one effect per charge, late money that is dealt with,
-- and the demo provider's own books.

-- The provider's own name of an intent; partial, so that a new order pays nothing for the index.
ALTER TABLE tinystore_order.payment_intent ADD COLUMN provider_ref text;
CREATE UNIQUE INDEX payment_intent_provider_ref ON tinystore_order.payment_intent (provider_ref) WHERE provider_ref IS NOT NULL;

-- Recent intents, for payment.compare.
CREATE INDEX payment_intent_created_at_idx ON tinystore_order.payment_intent USING brin (created_at);

-- intent_id: the intent of ours that the notice names. charge_ref: the movement of money it tells of; two notices of
-- one charge are one payment.
ALTER TABLE tinystore_order.payment_event
  ADD COLUMN intent_id uuid, ADD COLUMN charge_ref text,
  DROP CONSTRAINT payment_event_kind_check,
  ADD CONSTRAINT payment_event_kind_check CHECK (kind IN ('CREATED', 'PROCESSING', 'SUCCEEDED', 'FAILED', 'REFUNDED')),
  DROP CONSTRAINT payment_event_verdict_check,
  ADD CONSTRAINT payment_event_verdict_check
    CHECK (verdict IN ('PAID', 'NOTED', 'FAILED', 'LATE', 'SECOND', 'AMOUNT_DIFFERS', 'UNMATCHED', 'REFUNDED'));
UPDATE tinystore_order.payment_event SET intent_id = intent_ref::uuid
WHERE intent_ref ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$';
CREATE INDEX payment_event_charge_ref ON tinystore_order.payment_event (charge_ref) WHERE charge_ref IS NOT NULL;
CREATE INDEX payment_event_unmatched ON tinystore_order.payment_event (received_at) WHERE verdict = 'UNMATCHED';

-- P40: at most one extension.
ALTER TABLE tinystore_order.trade
  ADD COLUMN extended_at timestamptz,
  DROP CONSTRAINT trade_close_reason_check,
  ADD CONSTRAINT trade_close_reason_check CHECK (close_reason IN
    ('BUYER_CANCELLED', 'OPERATOR_CANCELLED', 'TIMED_OUT', 'OVER_ADMITTED', 'CONFIRM_CONFLICT', 'PAYMENT_RETURNED'));

-- P28, P30: every payment that its order could not take, from the notice to the end of its money.
ALTER TABLE tinystore_order.late_payment
  DROP CONSTRAINT late_payment_cause_check, DROP CONSTRAINT late_payment_status_check,
  ALTER COLUMN trade_id DROP NOT NULL, ALTER COLUMN status SET DEFAULT 'OPEN',
  ADD COLUMN reason text,
  ADD COLUMN refund_id uuid,
  ADD COLUMN attempts integer NOT NULL DEFAULT 0,
  ADD COLUMN opened_at timestamptz NOT NULL DEFAULT ops.clock_now(),
  ADD COLUMN next_attempt_at timestamptz NOT NULL DEFAULT ops.clock_now(),
  ADD COLUMN ended_at timestamptz,
  ADD CONSTRAINT late_payment_cause_check
    CHECK (cause IN ('LATE', 'SECOND', 'CONFIRM_CONFLICT', 'AMOUNT_DIFFERS', 'UNMATCHED')),
  ADD CONSTRAINT late_payment_status_check CHECK (status IN ('OPEN', 'REVIVING', 'REVIVED', 'REFUND_DUE', 'REFUNDED')),
  ADD CONSTRAINT late_payment_names_its_trade CHECK (trade_id IS NOT NULL OR cause = 'UNMATCHED');
CREATE INDEX late_payment_due ON tinystore_order.late_payment (next_attempt_at)
  WHERE status IN ('OPEN', 'REVIVING', 'REFUND_DUE');
-- One revive of a trade at a time.
CREATE UNIQUE INDEX late_payment_one_revive ON tinystore_order.late_payment (trade_id) WHERE status IN ('REVIVING', 'REVIVED');

-- ---------------------------------------------------------------- demo provider

-- What a real provider would keep on its side. The shop reaches it through the port alone.
CREATE SCHEMA demo_provider;

CREATE TABLE demo_provider.intent (
  intent_ref   text PRIMARY KEY,
  attempt      integer NOT NULL CHECK (attempt >= 1),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency     text NOT NULL,
  expires_at   timestamptz NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT ops.clock_now()
);

CREATE TABLE demo_provider.charge (
  charge_ref   text PRIMARY KEY,
  intent_ref   text NOT NULL REFERENCES demo_provider.intent (intent_ref),
  attempt      integer NOT NULL,
  status       text NOT NULL CHECK (status IN ('SUCCEEDED', 'FAILED')),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency     text NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT ops.clock_now()
);
CREATE INDEX charge_intent_ref_idx ON demo_provider.charge (intent_ref);

CREATE TABLE demo_provider.refund (
  refund_id    uuid PRIMARY KEY,
  intent_ref   text NOT NULL REFERENCES demo_provider.intent (intent_ref),
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  currency     text NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT ops.clock_now()
);
CREATE INDEX refund_intent_ref_idx ON demo_provider.refund (intent_ref);

CREATE TABLE demo_provider.notice (
  event_id        text PRIMARY KEY,
  charge_ref      text NOT NULL REFERENCES demo_provider.charge (charge_ref),
  body            text NOT NULL,
  tries           integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT ops.clock_now(),
  delivered_at    timestamptz,
  created_at      timestamptz NOT NULL DEFAULT ops.clock_now()
);
CREATE INDEX notice_undelivered ON demo_provider.notice (next_attempt_at) WHERE delivered_at IS NULL;
