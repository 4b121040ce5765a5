/** Does to a locked trade what was decided about one of its notices, in the transaction that judges it. */
import { openIncident } from '../../ops/index.ts';
import type { Tx } from '../../platform/index.ts';
import { closeByTime } from '../trade/close-by-time.ts';
import { closeTrades } from '../trade/close-trades.ts';
import type { LockedTrade } from '../trade/lock-trade.ts';
import type { Decision } from './decide-notice.ts';
import { keepLatePayment } from './keep-late-payment.ts';
import { markPaid } from './mark-paid.ts';
import { type Intent, moveIntent } from './move-intent.ts';
import type { NoticeKind } from './notice.ts';
import { recordBeforePayment } from './record-before-payment.ts';

export type Verdict = 'PAID' | 'NOTED' | 'FAILED' | 'LATE' | 'SECOND' | 'AMOUNT_DIFFERS' | 'UNMATCHED' | 'REFUNDED';

export interface StoredNotice {
  readonly eventId: string;
  readonly kind: NoticeKind;
  readonly attempt: number;
  readonly amountMinor: number | null;
  readonly currency: string | null;
  readonly chargeRef: string | null;
  readonly payload: Record<string, unknown>;
  readonly inTime: boolean;
}

interface Applied {
  readonly verdict: Verdict;
  readonly change?: Partial<LockedTrade>;
}

export async function applyDecision(
  tx: Tx,
  trade: LockedTrade,
  notice: StoredNotice,
  intent: Intent,
  decision: Decision,
): Promise<Applied> {
  switch (decision) {
    case 'note':
      return { verdict: 'NOTED' };
    case 'fail-attempt':
      await moveIntent(tx, trade.id, 'FAILED');
      return { verdict: 'FAILED' };
    case 'amount-differs':
      await keepLatePayment(tx, trade, notice, 'AMOUNT_DIFFERS', {
        wantedMinor: intent.amountMinor,
        wantedCurrency: intent.currency,
        notice: notice.payload,
      });
      return { verdict: 'AMOUNT_DIFFERS' };
    case 'second':
      await keepLatePayment(tx, trade, notice, 'SECOND');
      return { verdict: 'SECOND' };
    case 'late':
      if (trade.status === 'UNPAID') await closeByTime(tx, [trade]);
      return late(tx, trade, notice, 'TIMED_OUT');
    case 'pay':
      return pay(tx, trade, notice);
    case 'refunded':
      await moveIntent(tx, trade.id, 'REFUNDED');
      await askWhoRefunded(tx, trade, notice, intent);
      return { verdict: 'REFUNDED' };
    case 'came-and-went':
      return cameAndWent(tx, trade);
  }
}

async function pay(tx: Tx, trade: LockedTrade, notice: StoredNotice): Promise<Applied> {
  if (await recordBeforePayment(tx, trade)) {
    await markPaid(tx, trade, notice.eventId);
    await moveIntent(tx, trade.id, 'SUCCEEDED');
    return { verdict: 'PAID', change: { status: 'PAID_PENDING' } };
  }
  // Impossible when the payment was started here (P26); the units are gone, so the money goes back.
  await closeTrades(tx, [trade], 'OVER_ADMITTED');
  return late(tx, trade, notice, 'OVER_ADMITTED');
}

async function late(
  tx: Tx,
  trade: LockedTrade,
  notice: StoredNotice,
  closedNow: 'TIMED_OUT' | 'OVER_ADMITTED',
): Promise<Applied> {
  await keepLatePayment(tx, trade, notice, 'LATE');
  await moveIntent(tx, trade.id, 'SUCCEEDED');
  return { verdict: 'LATE', change: { status: 'CLOSED', closeReason: trade.closeReason ?? closedNow } };
}

/** The order has no money, and its one intent is used up: it ends, and nothing is due. */
async function cameAndWent(tx: Tx, trade: LockedTrade): Promise<Applied> {
  await moveIntent(tx, trade.id, 'SUCCEEDED');
  await moveIntent(tx, trade.id, 'REFUNDED');
  if (trade.status !== 'UNPAID') return { verdict: 'NOTED' };
  await closeTrades(tx, [trade], 'PAYMENT_RETURNED');
  return { verdict: 'NOTED', change: { status: 'CLOSED', closeReason: 'PAYMENT_RETURNED' } };
}

/** Money that went back without a refund of ours: payment.compare closes this once the two views agree again. */
async function askWhoRefunded(tx: Tx, trade: LockedTrade, notice: StoredNotice, intent: Intent): Promise<void> {
  const { rowCount } = await tx.query('SELECT 1 FROM tinystore_order.refund WHERE trade_id = $1 LIMIT 1', [trade.id]);
  if (rowCount === 0)
    await openIncident(tx, {
      kind: 'PAYMENT_DIFFERS',
      subject: intent.id,
      detail: { tradeId: trade.id, found: 'refunded at the provider, not by us', notice: notice.payload },
    });
}
