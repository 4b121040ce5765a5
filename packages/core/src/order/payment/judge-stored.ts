/**
 * Judges every stored, not yet judged notice of a locked trade, oldest first, each exactly once. Payment, cancel
 * and the start of a payment all do this before they decide, so money received in time is never overtaken (P25).
 */
import { openIncident } from '../../ops/index.ts';
import type { Tx } from '../../platform/index.ts';
import type { LockedTrade } from '../trade/lock-trade.ts';
import { applyDecision, type StoredNotice, type Verdict } from './apply-decision.ts';
import { decideNotice } from './decide-notice.ts';
import { lookAtCharge } from './look-at-charge.ts';
import { type Intent, readIntentOf } from './move-intent.ts';

export type { Verdict } from './apply-decision.ts';

/** Returns the trade as it stands afterwards. */
export async function judgeStored(tx: Tx, trade: LockedTrade): Promise<LockedTrade> {
  const { rows } = await tx.query<StoredNotice>(
    `SELECT e.event_id AS "eventId", e.kind, e.attempt, e.amount_minor AS "amountMinor", e.currency, e.payload,
            e.charge_ref AS "chargeRef", e.received_at <= t.pay_until AS "inTime"
     FROM tinystore_order.payment_event e JOIN tinystore_order.trade t ON t.id = e.trade_id
     WHERE e.trade_id = $1 AND e.judged_at IS NULL
     ORDER BY e.received_at, e.event_id FOR UPDATE OF e`,
    [trade.id],
  );
  let state = trade;
  for (const notice of rows) {
    const { verdict, change } = await judge(tx, state, notice);
    state = { ...state, ...change };
    await tx.query(
      'UPDATE tinystore_order.payment_event SET verdict = $2, judged_at = ops.clock_now() WHERE event_id = $1 AND judged_at IS NULL',
      [notice.eventId, verdict],
    );
  }
  return state;
}

async function judge(
  tx: Tx,
  trade: LockedTrade,
  notice: StoredNotice,
): Promise<{ readonly verdict: Verdict; readonly change?: Partial<LockedTrade> }> {
  const intent = await readIntentOf(tx, trade.id);
  const charge = await lookAtCharge(tx, notice);
  const decision = decideNotice({
    kind: notice.kind,
    attempt: notice.attempt,
    inTime: notice.inTime,
    ...charge,
    tradeStatus: trade.status,
    amountFits: notice.amountMinor === intent.amountMinor && notice.currency === intent.currency,
    intentStatus: intent.status,
    intentAttempt: intent.attempt,
  });
  if (decision === 'pay' && charge.partRefunded) await tellOfPart(tx, trade, notice, intent);
  return applyDecision(tx, trade, notice, intent, decision);
}

/** The money is the order's, and a part of it is gone already: payment.compare closes this once both views agree. */
function tellOfPart(tx: Tx, trade: LockedTrade, notice: StoredNotice, intent: Intent): Promise<void> {
  return openIncident(tx, {
    kind: 'PAYMENT_DIFFERS',
    subject: intent.id,
    detail: { tradeId: trade.id, found: 'a part was refunded at the provider, not by us', notice: notice.payload },
  });
}
