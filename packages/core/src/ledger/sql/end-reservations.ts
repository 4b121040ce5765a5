/**
 * Moves PRE_DEDUCTED rows to an end. The rows are locked by the caller, so each must still be PRE_DEDUCTED.
 * `status || ''` keeps the plan on the primary key: by the partial index of open rows it reads all of them.
 */
import type { Sql } from '../../platform/index.ts';

const END = `
  UPDATE tinystore_inventory.inventory_reservation
  SET status = $2, release_reason = $3, ended_at = ops.clock_now(), version = version + 1
  WHERE reservation_id = ANY($1::uuid[]) AND status || '' = 'PRE_DEDUCTED'`;

const CONFIRM = `
  UPDATE tinystore_inventory.inventory_reservation
  SET status = 'CONFIRMED', confirmed_at = ops.clock_now(), version = version + 1
  WHERE reservation_id = ANY($1::uuid[]) AND status || '' = 'PRE_DEDUCTED'`;

export async function endReservations(
  tx: Sql,
  reservationIds: readonly string[],
  status: 'RELEASED' | 'EXPIRED',
  reason: string,
): Promise<void> {
  if (reservationIds.length > 0)
    expectAll(await tx.query(END, [reservationIds, status, reason]), reservationIds.length);
}

export async function confirmReservations(tx: Sql, reservationIds: readonly string[]): Promise<void> {
  if (reservationIds.length > 0) expectAll(await tx.query(CONFIRM, [reservationIds]), reservationIds.length);
}

function expectAll({ rowCount }: { rowCount: number | null }, wanted: number): void {
  if (rowCount !== wanted) throw new Error(`${rowCount ?? 0} of ${wanted} locked reservations could be moved`);
}
