/**
 * What a CONFIRM means for its trade (P27). Pure. All shop orders of a trade are judged together: all rows are
 * confirmed, or none is.
 */
import type { ReservationStatus, TradeStatus } from '../domain/index.ts';
import type { HeldRow } from './held-row.ts';

export type ConfirmOutcome = 'confirmed' | 'already' | 'conflict' | 'stale' | 'no-row';

export interface ConfirmVerdict {
  readonly outcome: ConfirmOutcome;
  /** Rows to confirm, or, in a conflict, rows to release. */
  readonly rows: readonly HeldRow[];
}

export function judgeConfirm(
  tradeStatus: TradeStatus | undefined,
  holds: readonly HeldRow[],
  statusOf: ReadonlyMap<string, ReservationStatus>,
): ConfirmVerdict {
  const done = (outcome: ConfirmOutcome): ConfirmVerdict => ({ outcome, rows: [] });
  if (tradeStatus === undefined || holds.length === 0) return done('no-row');
  if (tradeStatus === 'PAID' || tradeStatus === 'SHIPPED' || tradeStatus === 'RECEIVED') return done('already');
  if (tradeStatus !== 'PAID_PENDING') return done('stale');
  const statuses = holds.map((hold) => statusOf.get(hold.reservationId));
  if (statuses.includes(undefined)) return done('no-row');
  const open = holds.filter((_, index) => statuses[index] === 'PRE_DEDUCTED');
  if (statuses.some((status) => status === 'RELEASED' || status === 'EXPIRED'))
    return { outcome: 'conflict', rows: open };
  return open.length === 0 ? done('already') : { outcome: 'confirmed', rows: open };
}

/** Does the event name exactly units that the shop order's present attempt holds? */
export function namesPresentAttempt(
  event: { shopOrderId: string; reservationIds: readonly string[] },
  holds: readonly HeldRow[],
): boolean {
  return (
    event.reservationIds.length > 0 &&
    event.reservationIds.every((id) =>
      holds.some((hold) => hold.reservationId === id && hold.shopOrderId === event.shopOrderId),
    )
  );
}
