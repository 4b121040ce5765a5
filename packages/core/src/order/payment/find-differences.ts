/** Where the provider's view of an intent and ours differ. Pure. Refunds under way may have been done there or not. */
import type { IntentReading } from './provider.ts';

export interface OurView {
  readonly amountMinor: number;
  readonly currency: string;
  readonly receivedMinor: number;
  readonly refundedMinor: number;
  /** Sent, and not known yet to have succeeded. */
  readonly refundsUnderWayMinor: number;
}

export function findDifferences(ours: OurView, theirs: Exclude<IntentReading, { kind: 'unknown' }>): string[] {
  if (theirs.kind === 'not-found') return ['the provider does not know this payment'];
  const found: string[] = [];
  if (theirs.amountMinor !== ours.amountMinor || theirs.currency !== ours.currency)
    found.push('the amount to be paid differs');
  if (theirs.receivedMinor !== ours.receivedMinor) found.push('the amount taken differs');
  const mostRefunded = ours.refundedMinor + ours.refundsUnderWayMinor;
  if (theirs.refundedMinor < ours.refundedMinor) found.push('less was given back than we know of');
  if (theirs.refundedMinor > mostRefunded) found.push('more was given back than we asked for');
  return found;
}
