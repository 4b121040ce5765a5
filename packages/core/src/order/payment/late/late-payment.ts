/**
 * A payment that its order could not take, on its way to one of two ends: REVIVED or REFUNDED (P28, P30). Only the
 * cause LATE or CONFIRM_CONFLICT may revive its order; all others are given back.
 */
import type { IncidentKind } from '../../../ops/index.ts';

export type LateCause = 'LATE' | 'SECOND' | 'CONFIRM_CONFLICT' | 'AMOUNT_DIFFERS' | 'UNMATCHED';

/** OPEN: not decided. REVIVING and REFUND_DUE: decided and being done. */
export type LateStatus = 'OPEN' | 'REVIVING' | 'REVIVED' | 'REFUND_DUE' | 'REFUNDED';

export interface LatePayment {
  readonly eventId: string;
  readonly tradeId: string | null;
  readonly cause: LateCause;
  readonly status: LateStatus;
  readonly amountMinor: number;
  readonly currency: string;
  readonly refundId: string | null;
  readonly attempts: number;
  /** P28: not revived within 10 minutes is refunded. */
  readonly overdue: boolean;
}

/** P28. */
export const REVIVE_LIMIT = '10 minutes';

const KINDS: Record<LateCause, IncidentKind> = {
  LATE: 'LATE_MONEY',
  SECOND: 'SECOND_PAYMENT',
  CONFIRM_CONFLICT: 'CONFIRM_CONFLICT',
  AMOUNT_DIFFERS: 'AMOUNT_MISMATCH',
  UNMATCHED: 'UNMATCHED_PAYMENT',
};

/** The incident that stays open until this money has found its end; a conflict is the trade's, all others the payment's. */
export function incidentOf({ cause, eventId, tradeId }: Pick<LatePayment, 'cause' | 'eventId' | 'tradeId'>): {
  kind: IncidentKind;
  subject: string;
} {
  return { kind: KINDS[cause], subject: cause === 'CONFIRM_CONFLICT' ? (tradeId ?? eventId) : eventId };
}
