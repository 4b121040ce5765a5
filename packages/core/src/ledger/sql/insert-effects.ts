/**
 * Gate effects of final rows: exactly one GIVE_BACK or SETTLE each (P6). The unique key has no ON CONFLICT clause
 * on purpose: a second effect for one row is a broken invariant, not something to pass over.
 */
import type { Sql } from '../../platform/index.ts';
import type { HeldRow } from '../held-row.ts';

const INSERT = `
  INSERT INTO tinystore_inventory.gate_effect (kind, shop_id, sku_id, reservation_id, quantity)
  SELECT $1, * FROM unnest($2::text[], $3::text[], $4::uuid[], $5::bigint[])`;

export async function insertEffects(tx: Sql, kind: 'GIVE_BACK' | 'SETTLE', rows: readonly HeldRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(INSERT, [
    kind,
    rows.map((r) => r.shopId),
    rows.map((r) => r.skuId),
    rows.map((r) => r.reservationId),
    rows.map((r) => r.quantity),
  ]);
}
