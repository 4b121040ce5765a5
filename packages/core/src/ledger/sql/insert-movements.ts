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
