-- Indexes for reads that a full table would turn into a scan of all of it. Not here: one of a SKU's reservations for
-- the console. Its list comes in id order, which the primary key gives backwards (ids rise with time), and every
-- reservation would pay for that index twice, at its insert and at its end.

-- Tables that only grow, in time order: a BRIN index costs next to nothing an event (a B-tree over key and id cost an
-- event 10 to 40 us and a fifth to two fifths more WAL) and still spares the rows of all the days before.
CREATE INDEX outbox_event_occurred_at_idx ON tinystore_order.outbox_event USING brin (occurred_at);
CREATE INDEX inbox_event_processed_at_idx ON tinystore_inventory.inbox_event USING brin (processed_at);
-- The clean-up of effects that have done their work.
CREATE INDEX gate_effect_applied ON tinystore_inventory.gate_effect (applied_at) WHERE status = 'APPLIED';
-- What was done to one thing; a cancel asks it.
CREATE INDEX audit_log_target_idx ON ops.audit_log (target);
-- The trades of a cart, in every state.
CREATE INDEX trade_buyer_id_cart_id_idx ON tinystore_order.trade (buyer_id, cart_id);
