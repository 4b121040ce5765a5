/**
 * Books a reviewed import row by row, as differences (C08). A row claims its reference first, then is booked under its
 * own operation id, and the booking marks it: whatever dies in between, applying again goes on there and books nothing
 * twice (C07). Two people may book one import at once.
 */
import { FAILURES, type Failure, refuse } from '../../domain/index.ts';
import { type ReceiveOutcome, receiveStock } from '../../ledger/index.ts';
import { classifyDatabaseError, databaseErrorCode, inTransaction } from '../../platform/index.ts';
import type { StockChanged, StockDeps } from '../stock-desk.ts';
import { writeOff } from '../write-off.ts';
import { hasApplied, type ImportAction, markRow, moveImport, type OpenRow, readOpenRows } from './import-state.ts';

export interface ImportProgress {
  readonly kind: 'done' | 'stopped';
  /** What this call did. */
  readonly booked: number;
  readonly refused: number;
  /** Why it stopped before the end; pressing again goes on. */
  readonly why?: string;
}

const BUDGET_MS = 4000;
const BOOKED_ELSEWHERE = 'this reference has been booked by another import';

export async function applyImport(
  deps: StockDeps,
  action: ImportAction,
  budgetMs = BUDGET_MS,
): Promise<ImportProgress | Failure> {
  const moved = await inTransaction(deps.pool, (tx) => moveImport(tx, action, ['REVIEW'], 'APPLYING'));
  if (moved.kind === 'refused') return moved;
  const deadline = performance.now() + budgetMs;
  let [booked, refused, line] = [0, 0, 0];
  for (;;) {
    const rows = await readOpenRows(deps.pool, action.importId, ['PENDING', 'CLAIMED'], line, 'forwards');
    if (rows.length === 0) break;
    for (const row of rows) {
      if (performance.now() > deadline) return { kind: 'stopped', booked, refused, why: 'There is more to do.' };
      const outcome = await applyRow(deps, action, moved.reason, row);
      if (outcome.kind === 'refused') return { kind: 'stopped', booked, refused, why: outcome.message };
      if (outcome.kind === 'booked') booked++;
      else refused++;
      line = row.line;
    }
  }
  await finish(deps, action);
  return { kind: 'done', booked, refused };
}

type RowOutcome = { readonly kind: 'booked' | 'left' } | Failure;

/** A refusal is returned only when the row may pass later; a final one is written to the row. */
async function applyRow(
  deps: StockDeps,
  { importId, actor }: ImportAction,
  reason: string,
  row: OpenRow,
): Promise<RowOutcome> {
  const { line } = row;
  if (!(await claim(deps, importId, line))) return { kind: 'left' };
  await deps.stopAt?.('stock.import-row');
  const change = { ...row, operationId: row.operationId, kind: 'IMPORT', importId, actor, reason } as const;
  const outcome = await book(deps, change, row.change);
  if (outcome.kind !== 'refused') {
    await markRow(deps.pool, importId, line, ['CLAIMED'], 'APPLIED');
    return { kind: 'booked' };
  }
  if (FAILURES[outcome.code].retryable) return outcome;
  await markRow(deps.pool, importId, line, ['CLAIMED'], 'REFUSED', outcome.message);
  return { kind: 'left' };
}

/** False when another import has booked this reference: the row is then refused. */
async function claim({ pool }: StockDeps, importId: string, line: number): Promise<boolean> {
  try {
    return await markRow(pool, importId, line, ['PENDING', 'CLAIMED'], 'CLAIMED');
  } catch (error) {
    if (classifyDatabaseError(error) !== 'duplicate') throw error;
    await markRow(pool, importId, line, ['PENDING'], 'REFUSED', BOOKED_ELSEWHERE);
    return false;
  }
}

interface Booking {
  readonly operationId: string;
  readonly shopId: string;
  readonly skuId: string;
  readonly kind: 'IMPORT' | 'UNDO';
  readonly importId: string;
  readonly actor: string;
  readonly reason: string;
}

/** As the database says it when somebody else has brought the import to its end. */
const ENDED_MEANWHILE = 'HF001';

/** The booking marks its row in its own transaction, so that a row always says what was booked for it. */
export async function book(deps: StockDeps, booking: Booking, units: number): Promise<StockChanged | ReceiveOutcome> {
  try {
    if (units < 0) return await writeOff(deps, { ...booking, quantity: -units });
    const received = await receiveStock(deps.pool, { ...booking, quantity: units });
    if (received.kind === 'received') deps.waker.wake('effects');
    return received;
  } catch (error) {
    if (databaseErrorCode(error) === ENDED_MEANWHILE)
      return refuse('WRONG_STATE', 'Somebody else has brought this import to its end.');
    if (classifyDatabaseError(error) === 'duplicate') return refuse('WRONG_STATE', BOOKED_ELSEWHERE);
    throw error;
  }
}

/** An import of which nothing could be booked has not happened; its file may come again. */
async function finish({ pool }: StockDeps, action: ImportAction): Promise<void> {
  await inTransaction(pool, async (tx) => {
    await moveImport(tx, action, ['APPLYING'], (await hasApplied(tx, action.importId)) ? 'APPLIED' : 'DISCARDED');
  });
}
