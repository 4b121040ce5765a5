-- Failing messages (P33): attempts outside the partition, and keys whose later messages wait behind a failing one.

ALTER TABLE tinystore_inventory.dead_letter
  ADD COLUMN fingerprint     text NOT NULL DEFAULT '',
  ADD COLUMN next_attempt_at timestamptz,
  ADD COLUMN asked_by        text,
  ADD COLUMN ended_by        text;

-- The head of each failing key: while its row is there, messages of the key park. Whoever parks, tries again, redrives
-- or discards locks it first; it goes in the transaction that finds nothing open behind it.
CREATE TABLE tinystore_inventory.failing_key (
  consumer  text NOT NULL,
  key       text NOT NULL,
  closed_at timestamptz NOT NULL DEFAULT ops.clock_now(),
  PRIMARY KEY (consumer, key)
);
INSERT INTO tinystore_inventory.failing_key (consumer, key)
SELECT DISTINCT consumer, key FROM tinystore_inventory.dead_letter WHERE status = 'DEAD' AND key <> '';

CREATE INDEX dead_letter_open ON tinystore_inventory.dead_letter (consumer, key, id)
  WHERE status IN ('RETRYING', 'PARKED', 'DEAD');
CREATE INDEX dead_letter_due ON tinystore_inventory.dead_letter (next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;
