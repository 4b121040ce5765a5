/**
 * What a stored notice means for its trade (P24, P30): state in, decision out, no I/O. The order of the
 * questions matters: a wrong amount is never money for this order, whatever state the order is in.
 */
import type { PaymentIntentStatus, TradeStatus } from '../../domain/index.ts';
import type { NoticeKind } from './notice.ts';

export type Decision =
  | 'pay'
  | 'late'
  | 'second'
  | 'amount-differs'
  /** The money went back at the provider before its success was judged. */
  | 'came-and-went'
  | 'fail-attempt'
  | 'refunded'
  | 'note';

export interface NoticeFacts {
  readonly kind: NoticeKind;
  readonly attempt: number;
  readonly amountFits: boolean;
  /** Received at or before `pay_until`. */
  readonly inTime: boolean;
  /** Another notice of the same charge has been judged: it is the same money. */
  readonly chargeJudged: boolean;
  /** A notice said that this charge was paid back. */
  readonly chargeRefunded: boolean;
  readonly tradeStatus: TradeStatus;
  readonly intentStatus: PaymentIntentStatus;
  readonly intentAttempt: number;
}

export function decideNotice(facts: NoticeFacts): Decision {
  switch (facts.kind) {
    case 'CREATED':
    case 'PROCESSING':
      return 'note';
    case 'FAILED':
      return isRunning(facts) && facts.attempt === facts.intentAttempt ? 'fail-attempt' : 'note';
    case 'REFUNDED':
      return facts.intentStatus === 'SUCCEEDED' && facts.amountFits ? 'refunded' : 'note';
    case 'SUCCEEDED':
      return decideMoney(facts);
  }
}

function decideMoney(facts: NoticeFacts): Decision {
  if (facts.chargeJudged) return 'note';
  if (facts.chargeRefunded) return 'came-and-went';
  if (!facts.amountFits) return 'amount-differs';
  if (facts.tradeStatus === 'UNPAID') return facts.inTime ? 'pay' : 'late';
  return facts.tradeStatus === 'CLOSED' ? 'late' : 'second';
}

function isRunning({ tradeStatus, intentStatus }: NoticeFacts): boolean {
  return tradeStatus === 'UNPAID' && (intentStatus === 'CREATED' || intentStatus === 'PROCESSING');
}
