-- Rebuilds of the gate (P10): asked for by a person of whatever process, done by the gatekeeper, each kept with its reason.

CREATE TABLE tinystore_inventory.gate_rebuild (
  id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  actor        text NOT NULL,
  reason       text NOT NULL,
  epoch_before bigint NOT NULL,
  epoch_after  bigint,
  asked_at     timestamptz NOT NULL DEFAULT ops.clock_now(),
  opened_at    timestamptz
);
CREATE INDEX gate_rebuild_waiting ON tinystore_inventory.gate_rebuild (asked_at) WHERE opened_at IS NULL;
CREATE INDEX gate_rebuild_opened_at_idx ON tinystore_inventory.gate_rebuild (opened_at);

-- Since when nothing is sold from the gate; NULL while it is open.
ALTER TABLE tinystore_inventory.gate_epoch ADD COLUMN closed_since timestamptz;

-- A person asks for a rebuild. False when it changes nothing: the same request came before, or another one waits. Whoever
-- asks at the same moment stands behind this row.
CREATE FUNCTION tinystore_inventory.ask_for_rebuild(p_id uuid, p_actor text, p_reason text)
RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  present bigint;
BEGIN
  SELECT epoch INTO present FROM tinystore_inventory.gate_epoch FOR UPDATE;
  IF EXISTS (SELECT FROM tinystore_inventory.gate_rebuild WHERE id = p_id OR opened_at IS NULL) THEN
    RETURN false;
  END IF;
  INSERT INTO tinystore_inventory.gate_rebuild (id, actor, reason, epoch_before) VALUES (p_id, p_actor, p_reason, present);
  RETURN true;
END $$;

-- The last step of a rebuild: open, but only under the epoch that it raised itself. p_request: the wish it fulfils; without
-- one the rebuild is written down as the gatekeeper's own. False when a newer epoch has overtaken it.
CREATE FUNCTION tinystore_inventory.open_gate(
  p_epoch bigint, p_run_id text, p_master_replid text, p_before bigint, p_reason text, p_request uuid
) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  request tinystore_inventory.gate_rebuild;
BEGIN
  UPDATE tinystore_inventory.gate_epoch SET open = true, run_id = p_run_id, master_replid = p_master_replid,
    opened_at = ops.clock_now(), closed_reported = NULL, closed_reason = NULL, closed_since = NULL
  WHERE epoch = p_epoch;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE tinystore_inventory.gate_rebuild SET epoch_after = p_epoch, opened_at = ops.clock_now()
  WHERE id = p_request AND opened_at IS NULL RETURNING * INTO request;
  IF FOUND THEN
    INSERT INTO ops.audit_log (actor, action, target, reason, before, after)
    VALUES (request.actor, 'gate.rebuild', 'gate', request.reason,
            jsonb_build_object('epoch', request.epoch_before), jsonb_build_object('epoch', p_epoch));
  ELSE
    INSERT INTO tinystore_inventory.gate_rebuild (actor, reason, epoch_before, epoch_after, opened_at)
    VALUES ('gatekeeper', p_reason, p_before, p_epoch, ops.clock_now());
  END IF;
  RETURN true;
END $$;
