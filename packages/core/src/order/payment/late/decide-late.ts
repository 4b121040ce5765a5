/** What becomes of one payment that its order could not take (P28, P30): state in, decision out, no I/O. */
import type { TradeStatus } from '../../../domain/index.ts';
import type { CloseReason } from '../../trade/lock-trade.ts';
import type { LateCause, LateStatus } from './late-payment.ts';

export type LateDecision =
  | { readonly kind: 'ended' | 'follow-refund' | 'wait' | 'revive' }
  | { readonly kind: 'refund'; readonly reason: string };

export interface LateFacts {
  readonly status: LateStatus;
  readonly cause: LateCause;
  /** Not revived within 10 minutes. */
  readonly overdue: boolean;
  /** null: no order is known. */
  readonly trade: { readonly status: TradeStatus; readonly closeReason: CloseReason | null } | null;
  /** Every old row is ended and given back, and no SKU is between two modes. */
  readonly ready: boolean;
  /** Another payment of the same order is reviving it. */
  readonly otherRevives: boolean;
}

export function decideLate(facts: LateFacts): LateDecision {
  const { status, cause, trade } = facts;
  if (status === 'REVIVED' || status === 'REFUNDED') return { kind: 'ended' };
  if (status === 'REFUND_DUE') return { kind: 'follow-refund' };
  if (cause === 'SECOND') return { kind: 'refund', reason: 'the order had its money already' };
  if (cause === 'AMOUNT_DIFFERS') return { kind: 'refund', reason: 'another amount or currency than the order has' };
  if (!trade || cause === 'UNMATCHED') return { kind: 'refund', reason: 'no order turned up for this payment' };
  if (trade.status !== 'CLOSED') return { kind: 'refund', reason: 'another payment has paid the order meanwhile' };
  if (!mayRevive(trade.closeReason)) return { kind: 'refund', reason: 'the order had been cancelled' };
  if (facts.overdue) return { kind: 'refund', reason: 'the order could not be revived in time' };
  return { kind: facts.ready && !facts.otherRevives ? 'revive' : 'wait' };
}

/** An order that a person ended stays ended: nobody is sent goods after saying no. */
function mayRevive(reason: CloseReason | null): boolean {
  return reason === 'TIMED_OUT' || reason === 'OVER_ADMITTED' || reason === 'CONFIRM_CONFLICT';
}
