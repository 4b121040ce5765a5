/**
 * What people do to stock (P4): one append-only row an operation, and its entry in the audit log, both in the
 * transaction of the change. An operation id counts once, however often it comes (C07).
 */
import { refuse } from '../domain/index.ts';
import { appendAudit } from '../ops/index.ts';
import type { Sql } from '../platform/index.ts';

export type OperationKind = 'RECEIPT' | 'WRITE_OFF' | 'RECOUNT' | 'IMPORT' | 'UNDO';

export interface StockOperation {
  /** uuid, minted by whoever books it; repeated with each repeat of it. */
  readonly operationId: string;
  readonly kind: OperationKind;
  readonly shopId: string;
  readonly skuId: string;
  /** Units; what leaves is negative. */
  readonly quantity: number;
  readonly importId?: string | null;
  readonly actor: string;
  readonly reason: string;
}

export interface BookedOperation extends StockOperation {
  readonly reservationId: string | null;
  readonly totalAfter: number;
}

export async function findOperation(sql: Sql, operationId: string): Promise<BookedOperation | undefined> {
  const { rows } = await sql.query<BookedOperation>(
    `SELECT id AS "operationId", kind, shop_id AS "shopId", sku_id AS "skuId", quantity, import_id AS "importId", actor, reason,
            reservation_id AS "reservationId", total_after AS "totalAfter"
     FROM tinystore_inventory.stock_operation WHERE id = $1`,
    [operationId],
  );
  return rows[0];
}

export function isSameOperation(
  known: StockOperation,
  { kind, shopId, skuId, quantity }: Pick<StockOperation, 'kind' | 'shopId' | 'skuId' | 'quantity'>,
): boolean {
  return known.kind === kind && known.shopId === shopId && known.skuId === skuId && known.quantity === quantity;
}

export function otherOperation() {
  return refuse('IDEMPOTENCY_MISMATCH', 'This operation id has booked another change of stock.', {
    field: 'operationId',
  });
}

/** False when the same operation id was booked at this moment by somebody else. */
export async function insertOperation(tx: Sql, operation: StockOperation, totalBefore: number): Promise<boolean> {
  const { operationId, kind, shopId, skuId, quantity, importId, actor, reason } = operation;
  const totalAfter = totalBefore + quantity;
  const { rowCount } = await tx.query(
    `INSERT INTO tinystore_inventory.stock_operation
       (id, kind, shop_id, sku_id, quantity, import_id, total_before, total_after, actor, reason)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (id) DO NOTHING`,
    [operationId, kind, shopId, skuId, quantity, importId ?? null, totalBefore, totalAfter, actor, reason],
  );
  if (rowCount !== 1) return false;
  await appendAudit(tx, {
    actor,
    action: `stock.${kind.toLowerCase()}`,
    target: `${shopId}/${skuId}`,
    reason,
    before: { totalQuantity: totalBefore },
    after: { totalQuantity: totalAfter, operationId },
  });
  return true;
}
