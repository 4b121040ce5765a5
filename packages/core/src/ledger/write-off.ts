/**
 * The ledger's part of a write-off (P4): one call of one function, autocommitted, that passes the fence of P11. The
 * units were taken at the gate before, or are taken here by the conditional update of a SKU in mode DATABASE.
 */
import type { Pool, Sql } from '../platform/index.ts';
import { inTransaction } from '../platform/index.ts';
import { type BookedOperation, findOperation, type StockOperation } from './stock-operation.ts';

export interface TakenUnits {
  readonly reservationId: string;
  /** What the take answered; null for a SKU in mode DATABASE. */
  readonly epoch: number | null;
  readonly generation: number | null;
}

export type WriteOffVerdict =
  | 'DONE'
  | 'REPEATED'
  | 'MISMATCH'
  | 'UNKNOWN_SKU'
  /** Another mode, epoch or generation than the take's: nothing was written, take anew. */
  | 'STALE'
  | 'ABANDONED'
  | 'STALE_VERSION'
  | 'BELOW_HELD';

export interface WriteOffAnswer {
  readonly outcome: WriteOffVerdict;
  readonly total: number;
  readonly reserved: number;
}

/** @param operation its quantity is negative: the units that leave */
export async function commitWriteOff(
  sql: Sql,
  operation: StockOperation & { readonly expectedVersion?: number | undefined },
  taken: TakenUnits,
): Promise<WriteOffAnswer> {
  const { operationId, kind, shopId, skuId, quantity, importId, actor, reason, expectedVersion } = operation;
  const { rows } = await sql.query<WriteOffAnswer>(
    'SELECT outcome, total, reserved FROM tinystore_inventory.write_off($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)',
    [
      operationId,
      kind,
      taken.reservationId,
      shopId,
      skuId,
      -quantity,
      expectedVersion ?? null,
      taken.epoch,
      taken.generation,
      importId ?? null,
      actor,
      reason,
    ],
  );
  if (!rows[0]) throw new Error(`write-off ${operationId} was not answered`);
  return rows[0];
}

/**
 * The fate of a write-off whose answer is not known (P15): under the lock that its commit takes too, either it is
 * booked, or the units it took are abandoned for ever and a commit that comes later is refused.
 */
export async function findOrAbandonWriteOff(
  pool: Pool,
  operationId: string,
  taken: { readonly reservationId: string; readonly shopId: string; readonly skuId: string; readonly quantity: number },
): Promise<BookedOperation | undefined> {
  return inTransaction(pool, async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock(2, tinystore_inventory.lock_operation($1))', [operationId]);
    const known = await findOperation(tx, operationId);
    if (known?.reservationId !== taken.reservationId)
      await tx.query(
        `INSERT INTO tinystore_inventory.abandoned_hold (reservation_id, shop_id, sku_id, quantity, cause)
         VALUES ($1, $2, $3, $4, 'OWN_RETRY') ON CONFLICT DO NOTHING`,
        [taken.reservationId, taken.shopId, taken.skuId, taken.quantity],
      );
    return known;
  });
}
