/** The states of an import and its rows; moves are guarded updates, so that two people who press at once do it once. */
import { type Failure, refuse } from '../../domain/index.ts';
import { appendAudit } from '../../ops/index.ts';
import type { Sql } from '../../platform/index.ts';

export type ImportStatus = 'REVIEW' | 'APPLYING' | 'APPLIED' | 'UNDOING' | 'UNDONE' | 'DISCARDED';
export type ImportRowStatus = 'PENDING' | 'CLAIMED' | 'APPLIED' | 'REFUSED' | 'UNDONE';

export interface ImportAction {
  readonly importId: string;
  readonly actor: string;
}

/** Moves from one of these states and writes the audit entry; what stands there already is no error. */
export async function moveImport(
  tx: Sql,
  { importId, actor }: ImportAction,
  from: readonly ImportStatus[],
  to: ImportStatus,
): Promise<{ readonly kind: 'moved'; readonly reason: string } | Failure> {
  const { rows } = await tx.query<{ status: ImportStatus; reason: string }>(
    'SELECT status, reason FROM tinystore_inventory.stock_import WHERE id = $1 FOR UPDATE',
    [importId],
  );
  const [found] = rows;
  if (!found) return refuse('NOT_FOUND', 'There is no such import.');
  if (found.status === to) return { kind: 'moved', reason: found.reason };
  if (!from.includes(found.status))
    return refuse('WRONG_STATE', `The import is ${found.status}; this needs ${from.join(' or ')}.`);
  await tx.query(
    'UPDATE tinystore_inventory.stock_import SET status = $2, changed_at = ops.clock_now() WHERE id = $1',
    [importId, to],
  );
  await appendAudit(tx, {
    actor,
    action: `stock.import_${to.toLowerCase()}`,
    target: importId,
    reason: found.reason,
    before: { status: found.status },
    after: { status: to },
  });
  return { kind: 'moved', reason: found.reason };
}

export interface OpenRow {
  readonly line: number;
  readonly shopId: string;
  readonly skuId: string;
  readonly change: number;
  readonly operationId: string;
  readonly undoOperationId: string;
}

const MAX_ROWS_A_READ = 200;

/** The next rows in one of these states after (or, going backwards, before) a line. */
export async function readOpenRows(
  sql: Sql,
  importId: string,
  states: readonly ImportRowStatus[],
  from: number,
  direction: 'forwards' | 'backwards',
): Promise<OpenRow[]> {
  const [compare, order] = direction === 'forwards' ? ['>', 'ASC'] : ['<', 'DESC'];
  const { rows } = await sql.query<OpenRow>(
    `SELECT line, shop_id AS "shopId", sku_id AS "skuId", change, operation_id AS "operationId", undo_operation_id AS "undoOperationId"
     FROM tinystore_inventory.stock_import_row WHERE import_id = $1 AND status = ANY($2) AND line ${compare} $3
     ORDER BY line ${order} LIMIT ${MAX_ROWS_A_READ}`,
    [importId, states, from],
  );
  return rows;
}

/** False when the row was in none of these states any more. */
export async function markRow(
  sql: Sql,
  importId: string,
  line: number,
  from: readonly ImportRowStatus[],
  to: ImportRowStatus,
  refusal: string | null = null,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE tinystore_inventory.stock_import_row SET status = $4, refusal = $5
     WHERE import_id = $1 AND line = $2 AND status = ANY($3)`,
    [importId, line, from, to, refusal],
  );
  return rowCount === 1;
}

export async function hasApplied(sql: Sql, importId: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    `SELECT 1 FROM tinystore_inventory.stock_import_row WHERE import_id = $1 AND status = 'APPLIED' LIMIT 1`,
    [importId],
  );
  return rowCount === 1;
}
