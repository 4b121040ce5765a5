/**
 * Judges every stored, not yet judged notice of a locked trade, oldest first, each exactly once. Payment, cancel
 * and the start of a payment all do this before they decide, so money received in time is never overtaken (P25).
 */
import { PAYMENT_INTENT, type PaymentIntentStatus, sourcesOf } from '../../domain/index.ts';
import { openIncident } from '../../ops/index.ts';
import type { Tx } from '../../platform/index.ts';
import { closeByTime } from '../trade/close-by-time.ts';
import { closeTrades } from '../trade/close-trades.ts';
import type { LockedTrade } from '../trade/lock-trade.ts';
import { type Decision, decideNotice } from './decide-notice.ts';
import { keepLatePayment } from './keep-late-payment.ts';
import { markPaid } from './mark-paid.ts';
import type { NoticeKind } from './notice-body.ts';
import { recordBeforePayment } from './record-before-payment.ts';

export type Verdict = 'PAID' | 'NOTED' | 'FAILED' | 'LATE' | 'SECOND' | 'AMOUNT_DIFFERS' | 'UNMATCHED';

interface StoredNotice {
  readonly eventId: string;
  readonly kind: NoticeKind;
  readonly attempt: number;
  readonly amountMinor: number | null;
  readonly currency: string | null;
  readonly payload: Record<string, unknown>;
  readonly inTime: boolean;
}
interface Intent {
  readonly status: PaymentIntentStatus;
  readonly attempt: number;
  readonly amountMinor: number;
  readonly currency: string;
}

/** Returns the trade as it stands afterwards. */
export async function judgeStored(tx: Tx, trade: LockedTrade): Promise<LockedTrade> {
  const { rows } = await tx.query<StoredNotice>(
    `SELECT e.event_id AS "eventId", e.kind, e.attempt, e.amount_minor AS "amountMinor", e.currency, e.payload,
            e.received_at <= t.pay_until AS "inTime"
     FROM tinystore_order.payment_event e JOIN tinystore_order.trade t ON t.id = e.trade_id
     WHERE e.trade_id = $1 AND e.judged_at IS NULL
     ORDER BY e.received_at, e.event_id FOR UPDATE OF e`,
    [trade.id],
  );
  let state = trade;
  for (const notice of rows) {
    const verdict = await judge(tx, state, notice);
    state = { ...state, ...verdict.trade };
    await tx.query(
      'UPDATE tinystore_order.payment_event SET verdict = $2, judged_at = ops.clock_now() WHERE event_id = $1 AND judged_at IS NULL',
      [notice.eventId, verdict.verdict],
    );
  }
  return state;
}

interface Judged {
  readonly verdict: Verdict;
  readonly trade?: Partial<LockedTrade>;
}

async function judge(tx: Tx, trade: LockedTrade, notice: StoredNotice): Promise<Judged> {
  const intent = await readIntentOf(tx, trade.id);
  const decision = decideNotice({
    kind: notice.kind,
    attempt: notice.attempt,
    inTime: notice.inTime,
    tradeStatus: trade.status,
    amountFits: notice.amountMinor === intent.amountMinor && notice.currency === intent.currency,
    intentStatus: intent.status,
    intentAttempt: intent.attempt,
  });
  return apply(tx, trade, notice, intent, decision);
}

async function apply(
  tx: Tx,
  trade: LockedTrade,
  notice: StoredNotice,
  intent: Intent,
  decision: Decision,
): Promise<Judged> {
  switch (decision) {
    case 'note':
      return { verdict: 'NOTED' };
    case 'fail-attempt':
      await moveIntent(tx, trade.id, 'FAILED');
      return { verdict: 'FAILED' };
    case 'amount-differs':
      await openIncident(tx, {
        kind: 'AMOUNT_MISMATCH',
        subject: notice.eventId,
        detail: {
          tradeId: trade.id,
          wantedMinor: intent.amountMinor,
          wantedCurrency: intent.currency,
          notice: notice.payload,
        },
      });
      return { verdict: 'AMOUNT_DIFFERS' };
    case 'second':
      await keepLatePayment(tx, trade, notice, 'SECOND');
      return { verdict: 'SECOND' };
    case 'late':
      if (trade.status === 'UNPAID') await closeByTime(tx, [trade]);
      return late(tx, trade, notice, 'TIMED_OUT');
    case 'pay':
      if (await recordBeforePayment(tx, trade)) {
        await markPaid(tx, trade, notice.eventId);
        await moveIntent(tx, trade.id, 'SUCCEEDED');
        return { verdict: 'PAID', trade: { status: 'PAID_PENDING' } };
      }
      // Impossible when the payment was started here (P26); the units are gone, so the money goes back.
      await closeTrades(tx, [trade], 'OVER_ADMITTED');
      return late(tx, trade, notice, 'OVER_ADMITTED');
  }
}

async function late(
  tx: Tx,
  trade: LockedTrade,
  notice: StoredNotice,
  closedNow: 'TIMED_OUT' | 'OVER_ADMITTED',
): Promise<Judged> {
  await keepLatePayment(tx, trade, notice, 'LATE');
  await moveIntent(tx, trade.id, 'SUCCEEDED');
  return { verdict: 'LATE', trade: { status: 'CLOSED', closeReason: trade.closeReason ?? closedNow } };
}

async function readIntentOf(tx: Tx, tradeId: string): Promise<Intent> {
  const {
    rows: [intent],
  } = await tx.query<Intent>(
    `SELECT status, attempt, amount_minor AS "amountMinor", currency FROM tinystore_order.payment_intent WHERE trade_id = $1`,
    [tradeId],
  );
  if (!intent) throw new Error(`trade ${tradeId} has no payment intent`);
  return intent;
}

async function moveIntent(tx: Tx, tradeId: string, to: PaymentIntentStatus): Promise<void> {
  await tx.query(
    `UPDATE tinystore_order.payment_intent SET status = $2, updated_at = ops.clock_now()
     WHERE trade_id = $1 AND status = ANY($3::text[])`,
    [tradeId, to, sourcesOf(PAYMENT_INTENT, to)],
  );
}
