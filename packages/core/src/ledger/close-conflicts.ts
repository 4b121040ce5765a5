/**
 * Confirm conflict (P27): a paid trade some of whose units have ended. Its other units are released, the trade is
 * closed, and its money becomes late money, all in the transaction that found out.
 */
import { SHOP_ORDER, sourcesOf } from '../domain/index.ts';
import { openIncident } from '../ops/index.ts';
import { append, type NewEvent } from '../outbox/index.ts';
import type { Sql } from '../platform/index.ts';
import type { JudgedTrade } from './confirm-trades.ts';
import { groupBy, lineOf } from './held-row.ts';
import { endReservations } from './sql/end-reservations.ts';
import { insertEffects } from './sql/insert-effects.ts';

const REASON = 'CONFIRM_CONFLICT';

/** The stock rows of the released lines are changed by the caller, together with those of the clean trades. */
export async function closeConflicts(tx: Sql, conflicts: readonly JudgedTrade[]): Promise<void> {
  if (conflicts.length === 0) return;
  const rows = conflicts.flatMap((c) => c.verdict.rows);
  const tradeIds = conflicts.map((c) => c.tradeId);
  await endReservations(
    tx,
    rows.map((r) => r.reservationId),
    'RELEASED',
    REASON,
  );
  await insertEffects(tx, 'GIVE_BACK', rows);
  await tx.query(
    `UPDATE tinystore_order.trade SET status = 'CLOSED', close_reason = $2, closed_at = ops.clock_now(), version = version + 1
     WHERE id = ANY($1::uuid[]) AND status = 'PAID_PENDING'`,
    [tradeIds, REASON],
  );
  await tx.query(
    `UPDATE tinystore_order.shop_order SET status = 'RELEASED', version = version + 1
     WHERE trade_id = ANY($1::uuid[]) AND status = ANY($2::text[])`,
    [tradeIds, sourcesOf(SHOP_ORDER, 'RELEASED')],
  );
  // Also money that had revived the trade before: it is late money once more.
  await tx.query(
    `INSERT INTO tinystore_order.late_payment AS l (event_id, trade_id, cause, amount_minor, currency)
     SELECT e.event_id, e.trade_id, $2, e.amount_minor, e.currency FROM tinystore_order.payment_event e
     LEFT JOIN tinystore_order.late_payment m ON m.event_id = e.event_id
     WHERE e.trade_id = ANY($1::uuid[]) AND e.amount_minor IS NOT NULL AND e.currency IS NOT NULL
       AND ((e.verdict = 'PAID' AND m.event_id IS NULL) OR m.status = 'REVIVED')
     ON CONFLICT (event_id) DO UPDATE
       SET cause = excluded.cause, status = 'OPEN', opened_at = ops.clock_now(), next_attempt_at = ops.clock_now(), ended_at = NULL`,
    [tradeIds, REASON],
  );
  await append(tx, conflicts.flatMap(conflictEvents));
  for (const { tradeId, holds, statusOf } of conflicts)
    await openIncident(tx, {
      kind: REASON,
      subject: tradeId,
      detail: {
        tradeId,
        lines: holds.map((h) => ({ ...lineOf(h), found: statusOf.get(h.reservationId) ?? null })),
      },
    });
}

function conflictEvents({ trade, tradeId, holds, traceId }: JudgedTrade): NewEvent[] {
  const events: NewEvent[] = [...groupBy(holds, (h) => h.shopOrderId)].map(([shopOrderId, own]) => ({
    type: 'INVENTORY_CONFIRM_CONFLICT',
    key: shopOrderId,
    traceId,
    payload: { tradeId, shopOrderId, lines: own.map(lineOf) },
  }));
  if (trade)
    events.push({
      type: 'TRADE_CLOSED',
      key: tradeId,
      traceId,
      payload: { tradeId, buyerId: trade.buyerId, reason: REASON },
    });
  return events;
}
