/**
 * What the ghost sweep may do with one hold older than the proof age (P17). Pure. Every ending needs a proof: a
 * final ledger row, an abandonment row, or (for `abandon`) a second look under the exclusive lock.
 */
import type { ReservationStatus, TradeStatus } from '../domain/index.ts';
import type { HoldFacts } from './facts.ts';

export interface OldHoldFacts extends HoldFacts {
  readonly status: ReservationStatus | null;
  readonly tradeStatus: TradeStatus | null;
  /** The trade was closed longer ago than the proof age: its RELEASE should have arrived. */
  readonly closedLongAgo: boolean;
  /** Older than the time after which an unproven hold is an incident (30 min). */
  readonly veryOld: boolean;
}

export type OldHoldVerdict = 'keep' | 'settle' | 'give-back' | 'abandon' | 'tombstone' | 'unproven';

export function judgeOldHold(facts: OldHoldFacts): OldHoldVerdict {
  if (facts.status === 'PRE_DEDUCTED') return 'keep';
  if (facts.status !== null) {
    // The gatekeeper applies the pending effect; doing it here as well would only race it.
    if (facts.effectPending) return 'keep';
    return facts.status === 'CONFIRMED' ? 'settle' : 'give-back';
  }
  if (facts.abandoned) return 'give-back';
  if (facts.lineState === null) return 'abandon';
  if (facts.lineState === 'CURRENT' && facts.tradeStatus === 'CLOSED' && facts.closedLongAgo) return 'tombstone';
  return facts.veryOld ? 'unproven' : 'keep';
}
