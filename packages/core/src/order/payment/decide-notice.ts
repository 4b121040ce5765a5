/**
 * What a stored notice means for its trade (P24, P30): state in, decision out, no I/O. The order of the
 * questions matters: a wrong amount is never money for this order, whatever state the order is in.
 */
import type { PaymentIntentStatus, TradeStatus } from '../../domain/index.ts';
import type { NoticeKind } from './notice-body.ts';

export type Decision = 'pay' | 'late' | 'second' | 'amount-differs' | 'fail-attempt' | 'note';

export interface NoticeFacts {
  readonly kind: NoticeKind;
  readonly attempt: number;
  readonly amountFits: boolean;
  /** Received at or before `pay_until`. */
  readonly inTime: boolean;
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
    case 'SUCCEEDED':
      if (!facts.amountFits) return 'amount-differs';
      if (facts.tradeStatus === 'UNPAID') return facts.inTime ? 'pay' : 'late';
      return facts.tradeStatus === 'CLOSED' ? 'late' : 'second';
  }
}

function isRunning({ tradeStatus, intentStatus }: NoticeFacts): boolean {
  return tradeStatus === 'UNPAID' && (intentStatus === 'CREATED' || intentStatus === 'PROCESSING');
}
