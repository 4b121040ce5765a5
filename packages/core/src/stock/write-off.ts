/**
 * Units leave without being sold: damage, loss, a recount downwards (P4). They are taken like a buyer takes them, so
 * that the gate's capacity never has to fall, and booked at once in one fenced transaction; or nothing happened and
 * they are given back. A crash in between leaves a hold that nothing names: the ghost sweep frees it (P17).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Failure, MAX_STOCK, mint, refuse } from '../domain/index.ts';
import {
  commitWriteOff,
  findOperation,
  findOrAbandonWriteOff,
  isSameOperation,
  otherOperation,
  type StockOperation,
  type TakenUnits,
  type WriteOffAnswer,
} from '../ledger/index.ts';
import { classifyDatabaseError } from '../platform/index.ts';
import type { StockChanged, StockDeps } from './stock-desk.ts';

export interface WriteOff extends Omit<StockOperation, 'kind' | 'quantity'> {
  readonly kind?: Exclude<StockOperation['kind'], 'RECEIPT'>;
  /** Units that leave, 1 or more. */
  readonly quantity: number;
  readonly expectedVersion?: number;
}

type Tried = StockChanged | { readonly kind: 'retry'; readonly reason: 'GATE_CLOSED' | 'STALE_EPOCH' | 'BUSY' };
interface Hold {
  readonly shopId: string;
  readonly skuId: string;
  readonly reservationId: string;
  readonly quantity: number;
}
/** The operation as the ledger books it: its quantity is negative. */
type Booking = StockOperation & { readonly expectedVersion?: number | undefined };

const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 250;

export async function writeOff(deps: StockDeps, wanted: WriteOff): Promise<StockChanged> {
  const { quantity } = wanted;
  if (!Number.isSafeInteger(quantity) || quantity < 1 || quantity > MAX_STOCK)
    return refuse('INVALID_INPUT', `a write-off is a whole number of units from 1 to ${MAX_STOCK}`, {
      field: 'quantity',
    });
  const booking: Booking = { ...wanted, kind: wanted.kind ?? 'WRITE_OFF', quantity: -quantity };
  const deadline = performance.now() + deps.limitMs;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    const tried = await tryOnce(deps, booking);
    if (tried.kind !== 'retry') return tried;
    if (performance.now() + wait > deadline)
      return tried.reason === 'BUSY'
        ? refuse('BUSY', 'The stock of this SKU is busy. Please try again.', { retryAfterMs: 500 })
        : refuse('GATE_CLOSED', 'The gate is closed; stock cannot be taken right now.', { retryAfterMs: 1000 });
    await sleep(wait * (0.5 + Math.random() / 2));
  }
}

/** With an id of its own for one take only (P13). */
async function tryOnce(deps: StockDeps, booking: Booking): Promise<Tried> {
  const { shopId, skuId, operationId } = booking;
  const known = await findOperation(deps.pool, operationId);
  if (known)
    return isSameOperation(known, booking) ? { kind: 'repeated', totalQuantity: known.totalAfter } : otherOperation();
  const hold: Hold = { shopId, skuId, reservationId: mint<'ReservationId'>(), quantity: -booking.quantity };
  const mode = await readMode(deps, hold);
  if (mode === undefined) return unknownSku(hold);
  if (mode === 'SWITCHING') return { kind: 'retry', reason: 'BUSY' };
  const taken = mode === 'REDIS' ? await take(deps, hold) : inLedger(hold);
  if (taken.kind === 'unknown') return settle(deps, booking, hold);
  if (taken.kind !== 'taken') return taken;
  await deps.stopAt?.('stock.after-take');
  return commit(deps, booking, hold, taken);
}

async function readMode({ pool }: StockDeps, { shopId, skuId }: Hold): Promise<string | undefined> {
  const { rows } = await pool.query<{ mode: string }>(
    'SELECT gate_mode AS mode FROM tinystore_inventory.inventory_stock WHERE shop_id = $1 AND sku_id = $2',
    [shopId, skuId],
  );
  return rows[0]?.mode;
}

type Taken = { readonly kind: 'taken' } & TakenUnits;

/** The ledger takes the units itself. */
function inLedger({ reservationId }: Hold): Taken {
  return { kind: 'taken', reservationId, epoch: null, generation: null };
}

async function take(deps: StockDeps, hold: Hold): Promise<Taken | { kind: 'unknown' } | Tried> {
  const outcome = await deps.gate.take([hold]);
  switch (outcome.kind) {
    case 'taken':
      return {
        kind: 'taken',
        reservationId: hold.reservationId,
        epoch: outcome.epoch,
        generation: outcome.generations[0] ?? -1,
      };
    case 'sold-out':
      return (await isRising(deps, hold)) ? { kind: 'retry', reason: 'BUSY' } : belowHeld(hold, outcome.left[0] ?? 0);
    case 'unknown-sku':
      return unknownSku(hold);
    case 'retry':
      return { kind: 'retry', reason: outcome.reason === 'OTHER_MODE' ? 'BUSY' : outcome.reason };
    case 'unknown':
      return outcome;
  }
}

/** Units that came in and that the gate does not know yet: "not free" would be wrong. */
async function isRising({ pool, waker }: StockDeps, { shopId, skuId }: Hold): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT 1 FROM tinystore_inventory.gate_effect
     WHERE status = 'PENDING' AND kind IN ('RAISE', 'INSTALL') AND shop_id = $1 AND sku_id = $2 LIMIT 1`,
    [shopId, skuId],
  );
  if (rowCount === 1) waker.wake('effects');
  return rowCount === 1;
}

async function commit(deps: StockDeps, booking: Booking, hold: Hold, taken: Taken): Promise<Tried> {
  const answer = await commitWriteOff(deps.pool, booking, taken).catch((error: unknown) => ({ error }));
  await deps.stopAt?.('stock.after-commit');
  if ('error' in answer) {
    const meaning = classifyDatabaseError(answer.error);
    if (meaning === 'unknown' || meaning === 'outage') return settle(deps, booking, hold);
    await giveBack(deps, hold, taken);
    if (meaning === 'repeat') return { kind: 'retry', reason: 'BUSY' };
    throw answer.error;
  }
  if (answer.outcome === 'DONE') {
    deps.waker.wake('effects');
    return { kind: 'changed', totalQuantity: answer.total };
  }
  // Known not to have happened under this id: its units, and only those, go back (P3).
  await giveBack(deps, hold, taken);
  return judge(deps, hold, answer);
}

async function judge(deps: StockDeps, hold: Hold, { outcome, total, reserved }: WriteOffAnswer): Promise<Tried> {
  switch (outcome) {
    case 'DONE':
    case 'REPEATED':
      return { kind: 'repeated', totalQuantity: total };
    case 'MISMATCH':
      return otherOperation();
    case 'UNKNOWN_SKU':
      return unknownSku(hold);
    case 'STALE':
    case 'ABANDONED':
      await deps.gate.refresh().catch((error: unknown) => deps.log.debug({ error: String(error) }, 'epoch not read'));
      return { kind: 'retry', reason: 'STALE_EPOCH' };
    case 'STALE_VERSION':
      return refuse('STALE_VERSION', 'The stock has changed meanwhile. Please look again.', {
        field: 'expectedVersion',
      });
    case 'BELOW_HELD':
      return belowHeld(hold, Math.max(0, total - reserved));
  }
}

/** Nothing is given back before it is known that the write-off did not happen (P15). */
async function settle(deps: StockDeps, booking: Booking, hold: Hold): Promise<Tried> {
  try {
    const known = await findOrAbandonWriteOff(deps.pool, booking.operationId, hold);
    if (known?.reservationId === hold.reservationId) {
      deps.waker.wake('effects');
      return { kind: 'changed', totalQuantity: known.totalAfter };
    }
  } catch (error) {
    deps.log.warn({ error: String(error), operationId: booking.operationId }, 'write-off without an answer');
    return refuse('OUTCOME_UNKNOWN', 'We could not see whether the write-off went through. Please send it again.', {
      retryAfterMs: 1000,
    });
  }
  await deps.gate.giveBack([hold]);
  return { kind: 'retry', reason: 'BUSY' };
}

async function giveBack({ gate }: StockDeps, hold: Hold, taken: Taken): Promise<void> {
  if (taken.epoch !== null) await gate.giveBack([hold]);
}

function unknownSku({ shopId, skuId }: Hold): Failure {
  return refuse('UNKNOWN_SKU', `shop ${shopId} has no stock of ${skuId}`, { field: 'skuId' });
}

function belowHeld({ shopId, skuId, quantity }: Hold, free: number): Failure {
  return refuse('BELOW_HELD', `only ${free} of ${shopId}/${skuId} are free; the others are promised to buyers`, {
    field: 'quantity',
    lines: [{ shopId, skuId, wanted: quantity, left: free }],
  });
}
