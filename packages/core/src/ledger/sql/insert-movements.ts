/** One movement a confirmed row: the units leave the stock for good. Append-only; its unique key keeps it to one. */
import type { Sql } from '../../platform/index.ts';
import type { HeldRow } from '../held-row.ts';

const INSERT = `
  INSERT INTO tinystore_inventory.stock_movement (shop_id, sku_id, kind, quantity, reservation_id, actor)
  SELECT m.shop_id, m.sku_id, 'CONFIRM', -m.quantity, m.reservation_id, 'ledger'
  FROM unnest($1::text[], $2::text[], $3::bigint[], $4::uuid[]) AS m(shop_id, sku_id, quantity, reservation_id)`;

export async function insertConfirmMovements(tx: Sql, rows: readonly HeldRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(INSERT, [
    rows.map((r) => r.shopId),
    rows.map((r) => r.skuId),
    rows.map((r) => r.quantity),
    rows.map((r) => r.reservationId),
  ]);
}

const INSERT_RESTOCK = `
  INSERT INTO tinystore_inventory.stock_movement (shop_id, sku_id, kind, quantity, operation_id, actor)
  SELECT m.shop_id, m.sku_id, 'RESTOCK', m.quantity, m.operation_id, m.actor
  FROM unnest($1::text[], $2::text[], $3::bigint[], $4::uuid[], $5::text[]) AS m(shop_id, sku_id, quantity, operation_id, actor)`;

/** One movement a return item. No ON CONFLICT on purpose: a second one is a broken invariant (C07). */
export async function insertRestockMovements(
  tx: Sql,
  units: readonly (Pick<HeldRow, 'shopId' | 'skuId' | 'quantity'> & { operationId: string; actor: string })[],
): Promise<void> {
  if (units.length === 0) return;
  await tx.query(INSERT_RESTOCK, [
    units.map((u) => u.shopId),
    units.map((u) => u.skuId),
    units.map((u) => u.quantity),
    units.map((u) => u.operationId),
    units.map((u) => u.actor),
  ]);
}
