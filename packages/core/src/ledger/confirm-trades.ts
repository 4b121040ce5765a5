/**
 * CONFIRM (P27): acts only on a locked trade in PAID_PENDING. The first CONFIRM of a trade judges the rows of all
 * its shop orders; the others find it done. Clean trades of a batch are written together, one statement a table;
 * a conflict hands its trade to late money in the same transaction.
 */
import type { ReservationStatus } from '../domain/index.ts';
import { openIncident } from '../ops/index.ts';
import { append, type NewEvent } from '../outbox/index.ts';
import type { Sql } from '../platform/index.ts';
import { closeConflicts } from './close-conflicts.ts';
import { groupBy, type HeldRow, lineOf } from './held-row.ts';
import { type ConfirmOutcome, type ConfirmVerdict, judgeConfirm, namesPresentAttempt } from './judge-confirm.ts';
import { changeStock } from './sql/change-stock.ts';
import { confirmReservations } from './sql/end-reservations.ts';
import { insertEffects } from './sql/insert-effects.ts';
import { insertConfirmMovements } from './sql/insert-movements.ts';
import { type LockedTrade, lockReservations, lockStock, lockTrades } from './sql/lock-rows.ts';
import { readHoldsOfTrades } from './sql/read-current-holds.ts';
import { CONFIRM, RELEASE, sumBySku } from './sum-by-sku.ts';

export interface ConfirmOrder {
  readonly tradeId: string;
  readonly shopOrderId: string;
  readonly reservationIds: readonly string[];
  readonly traceId: string;
}
export interface ConfirmResult {
  readonly tradeId: string;
  readonly outcome: ConfirmOutcome;
}
/** A judged trade with all that its outcome needs. */
export interface JudgedTrade {
  readonly trade: LockedTrade | undefined;
  readonly tradeId: string;
  readonly holds: readonly HeldRow[];
  readonly statusOf: ReadonlyMap<string, ReservationStatus>;
  readonly traceId: string;
  readonly verdict: ConfirmVerdict;
}

/** One result for each order given, in that order. `no-row` has opened an incident; its message is the caller's. */
export async function confirmTrades(tx: Sql, orders: readonly ConfirmOrder[]): Promise<ConfirmResult[]> {
  const tradeIds = [...new Set(orders.map((o) => o.tradeId))];
  const trades = await lockTrades(tx, tradeIds);
  const holds = await readHoldsOfTrades(tx, tradeIds);
  const statusOf = await lockReservations(
    tx,
    holds.map((h) => h.reservationId),
  );
  const holdsOf = groupBy(holds, (h) => h.tradeId);

  const judged = new Map<string, JudgedTrade>();
  const results = orders.map(({ tradeId, shopOrderId, reservationIds, traceId }): ConfirmResult => {
    const own = holdsOf.get(tradeId) ?? [];
    if (own.length > 0 && !namesPresentAttempt({ shopOrderId, reservationIds }, own))
      return { tradeId, outcome: 'stale' };
    const before = judged.get(tradeId);
    if (before)
      return {
        tradeId,
        outcome:
          before.verdict.outcome === 'confirmed' || before.verdict.outcome === 'conflict'
            ? 'already'
            : before.verdict.outcome,
      };
    const trade = trades.get(tradeId);
    const verdict = judgeConfirm(trade?.status, own, statusOf);
    judged.set(tradeId, { trade, tradeId, holds: own, statusOf, traceId, verdict });
    return { tradeId, outcome: verdict.outcome };
  });

  await apply(tx, [...judged.values()]);
  return results;
}

async function apply(tx: Sql, judged: readonly JudgedTrade[]): Promise<void> {
  const having = (outcome: ConfirmOutcome) => judged.filter((j) => j.verdict.outcome === outcome);
  const clean = having('confirmed');
  const conflicts = having('conflict');
  const rows = clean.flatMap((j) => j.verdict.rows);
  const changes = sumBySku([
    { lines: rows, change: CONFIRM },
    { lines: conflicts.flatMap((j) => j.verdict.rows), change: RELEASE },
  ]);
  if (changes.length > 0) await lockStock(tx, changes);
  await changeStock(tx, changes);
  await confirmReservations(
    tx,
    rows.map((r) => r.reservationId),
  );
  await insertConfirmMovements(tx, rows);
  await insertEffects(tx, 'SETTLE', rows);
  await append(tx, clean.flatMap(confirmedEvents));
  await closeConflicts(tx, conflicts);
  for (const { tradeId, holds, statusOf } of having('no-row'))
    await openIncident(tx, {
      kind: 'CONFIRM_WITHOUT_ROW',
      subject: tradeId,
      detail: { tradeId, missing: holds.filter((h) => !statusOf.has(h.reservationId)).map(lineOf) },
    });
}

function confirmedEvents({ tradeId, holds, traceId }: JudgedTrade): NewEvent[] {
  return [...groupBy(holds, (h) => h.shopOrderId)].map(([shopOrderId, own]) => ({
    type: 'INVENTORY_CONFIRMED',
    key: shopOrderId,
    traceId,
    payload: { tradeId, shopOrderId, lines: own.map(lineOf) },
  }));
}
