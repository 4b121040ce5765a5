/**
 * The ledger's part of the end by time (P25), the only writer of EXPIRED. The caller has locked the trades and
 * judged that their time is over and no payment was received in time.
 */
import type { ReservedLine } from '../domain/index.ts';
import type { Sql } from '../platform/index.ts';
import { groupBy, lineOf } from './held-row.ts';
import { changeStock } from './sql/change-stock.ts';
import { endReservations } from './sql/end-reservations.ts';
import { insertEffects } from './sql/insert-effects.ts';
import { lockReservations, lockStock } from './sql/lock-rows.ts';
import { readHoldsOfTrades } from './sql/read-current-holds.ts';
import { RELEASE, sumBySku } from './sum-by-sku.ts';

export interface UnrecordedLines {
  readonly tradeId: string;
  readonly shopOrderId: string;
  readonly lines: ReservedLine[];
}

/** Ends the recorded rows; returns the lines that have no row yet, for which a RELEASE (TIMED_OUT) must be sent. */
export async function expireReservations(tx: Sql, tradeIds: readonly string[]): Promise<UnrecordedLines[]> {
  if (tradeIds.length === 0) return [];
  const holds = await readHoldsOfTrades(tx, tradeIds);
  const statusOf = await lockReservations(
    tx,
    holds.map((h) => h.reservationId),
  );
  const open = holds.filter((h) => statusOf.get(h.reservationId) === 'PRE_DEDUCTED');
  const changes = sumBySku([{ lines: open, change: RELEASE }]);
  if (changes.length > 0) await lockStock(tx, changes);
  await endReservations(
    tx,
    open.map((h) => h.reservationId),
    'EXPIRED',
    'TIMED_OUT',
  );
  await changeStock(tx, changes);
  await insertEffects(tx, 'GIVE_BACK', open);
  const missing = holds.filter((h) => !statusOf.has(h.reservationId));
  return [...groupBy(missing, (h) => h.shopOrderId)].flatMap(([shopOrderId, own]) => {
    const [first] = own;
    return first ? [{ tradeId: first.tradeId, shopOrderId, lines: own.map(lineOf) }] : [];
  });
}
