/**
 * Takes an applied import back: for each booked row, last first, the opposite difference under an operation id of its
 * own. Units that were sold meanwhile cannot be taken back: such a row stays as it is and says so.
 */
import { FAILURES, type Failure } from '../../domain/index.ts';
import { inTransaction } from '../../platform/index.ts';
import type { StockDeps } from '../stock-desk.ts';
import { book, type ImportProgress } from './apply-import.ts';
import { hasApplied, type ImportAction, markRow, moveImport, type OpenRow, readOpenRows } from './import-state.ts';

const BUDGET_MS = 4000;
const AFTER_THE_LAST_LINE = 2_000_000_000;

export async function undoImport(
  deps: StockDeps,
  action: ImportAction,
  budgetMs = BUDGET_MS,
): Promise<ImportProgress | Failure> {
  const moved = await inTransaction(deps.pool, (tx) => moveImport(tx, action, ['APPLIED'], 'UNDOING'));
  if (moved.kind === 'refused') return moved;
  const deadline = performance.now() + budgetMs;
  let [booked, refused, line] = [0, 0, AFTER_THE_LAST_LINE];
  for (;;) {
    const rows = await readOpenRows(deps.pool, action.importId, ['APPLIED'], line, 'backwards');
    if (rows.length === 0) break;
    for (const row of rows) {
      if (performance.now() > deadline) return { kind: 'stopped', booked, refused, why: 'There is more to do.' };
      const outcome = await undoRow(deps, action, moved.reason, row);
      if (outcome.kind === 'refused') return { kind: 'stopped', booked, refused, why: outcome.message };
      if (outcome.kind === 'booked') booked++;
      else refused++;
      line = row.line;
    }
  }
  // What could not be taken back stays applied, and the undo may be tried again.
  await inTransaction(deps.pool, async (tx) => {
    await moveImport(tx, action, ['UNDOING'], (await hasApplied(tx, action.importId)) ? 'APPLIED' : 'UNDONE');
  });
  return { kind: 'done', booked, refused };
}

async function undoRow(
  deps: StockDeps,
  { importId, actor }: ImportAction,
  reason: string,
  row: OpenRow,
): Promise<{ readonly kind: 'booked' | 'left' } | Failure> {
  await deps.stopAt?.('stock.import-row');
  const { shopId, skuId, undoOperationId: operationId } = row;
  const booking = { operationId, shopId, skuId, kind: 'UNDO', importId, actor, reason: `undo: ${reason}` } as const;
  const outcome = await book(deps, booking, -row.change);
  if (outcome.kind !== 'refused') {
    await markRow(deps.pool, importId, row.line, ['APPLIED'], 'UNDONE');
    return { kind: 'booked' };
  }
  if (FAILURES[outcome.code].retryable) return outcome;
  await markRow(deps.pool, importId, row.line, ['APPLIED'], 'APPLIED', outcome.message);
  return { kind: 'left' };
}
