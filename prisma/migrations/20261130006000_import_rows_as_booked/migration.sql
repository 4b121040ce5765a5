-- A row of an import says what was booked for it, because the booking itself says so (C07): marked beside it, a row that
-- two people book at once could be booked by one and refused by the other, and then be booked again from another file.
-- Nothing is booked for an import that has been brought to its end meanwhile: SQLSTATE HF001.
CREATE FUNCTION tinystore_inventory.mark_import_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM tinystore_inventory.stock_import i
  WHERE i.id = NEW.import_id AND i.status = CASE NEW.kind WHEN 'UNDO' THEN 'UNDOING' ELSE 'APPLYING' END FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'import % is not being booked any more', NEW.import_id USING ERRCODE = 'HF001';
  END IF;
  UPDATE tinystore_inventory.stock_import_row r
  SET status = CASE NEW.kind WHEN 'UNDO' THEN 'UNDONE' ELSE 'APPLIED' END, refusal = NULL
  WHERE r.import_id = NEW.import_id
    AND CASE NEW.kind WHEN 'UNDO' THEN r.undo_operation_id ELSE r.operation_id END = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER stock_operation_marks_row AFTER INSERT ON tinystore_inventory.stock_operation
  FOR EACH ROW WHEN (NEW.import_id IS NOT NULL) EXECUTE FUNCTION tinystore_inventory.mark_import_row();
