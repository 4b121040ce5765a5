/**
 * Judges one stored notice in a transaction of its own: finds its trade, locks it, and judges what is stored for
 * it (judge-stored.ts). A notice without a trade is kept as UNMATCHED (P30); when its order turns up, the next
 * look finds it (C20). Safe to repeat: a judged notice is only read.
 */
import { closeIncident, openIncident } from '../../ops/index.ts';
import type { Tx } from '../../platform/index.ts';
import { changeTrades, type TradeDeps } from '../trade/change-trades.ts';
import { lockTrade } from '../trade/lock-trade.ts';
import { judgeStored, type Verdict } from './judge-stored.ts';

export function judgeNotice(deps: TradeDeps, eventId: string): Promise<Verdict | null> {
  return changeTrades(deps, async (tx) => {
    const notice = await findNotice(tx, eventId);
    if (!notice) throw new Error(`notice ${eventId} is not stored`);
    if (notice.judged && notice.verdict !== 'UNMATCHED') return notice.verdict;
    const trade = notice.tradeId === null ? undefined : await lockTrade(tx, notice.tradeId);
    if (!trade) return keepUnmatched(tx, notice);
    if (notice.unclaimed && !(await claimNotice(tx, eventId, trade.id))) return 'UNMATCHED';
    await judgeStored(tx, trade);
    return (await findNotice(tx, eventId))?.verdict ?? null;
  });
}

interface FoundNotice {
  readonly eventId: string;
  readonly kind: string;
  readonly tradeId: string | null;
  /** The notice does not name its trade yet. */
  readonly unclaimed: boolean;
  readonly judged: boolean;
  readonly verdict: Verdict | null;
  readonly intentRef: string;
  readonly payload: Record<string, unknown>;
}

async function findNotice(tx: Tx, eventId: string): Promise<FoundNotice | undefined> {
  const { rows } = await tx.query<FoundNotice>(
    `SELECT e.event_id AS "eventId", e.kind, coalesce(e.trade_id, p.trade_id) AS "tradeId", e.trade_id IS NULL AS unclaimed,
            e.judged_at IS NOT NULL AS judged, e.verdict, e.intent_ref AS "intentRef", e.payload
     FROM tinystore_order.payment_event e
     LEFT JOIN tinystore_order.payment_intent p
       ON e.trade_id IS NULL AND (p.id = e.intent_id OR p.provider_ref = e.intent_ref)
     WHERE e.event_id = $1`,
    [eventId],
  );
  return rows[0];
}

async function keepUnmatched(tx: Tx, notice: FoundNotice): Promise<Verdict> {
  await tx.query(
    `UPDATE tinystore_order.payment_event SET verdict = 'UNMATCHED', judged_at = ops.clock_now()
     WHERE event_id = $1 AND judged_at IS NULL AND trade_id IS NULL`,
    [notice.eventId],
  );
  if (notice.kind === 'SUCCEEDED')
    await openIncident(tx, {
      kind: 'UNMATCHED_PAYMENT',
      subject: notice.eventId,
      detail: { intentRef: notice.intentRef, notice: notice.payload },
    });
  return 'UNMATCHED';
}

/**
 * The order of an unmatched notice has turned up: it counts as not judged yet, under the trade's lock. False when its
 * money is on its way back already (P30); locked first, asked second, because giving back locks the notice too.
 */
async function claimNotice(tx: Tx, eventId: string, tradeId: string): Promise<boolean> {
  await tx.query('SELECT 1 FROM tinystore_order.payment_event WHERE event_id = $1 FOR UPDATE', [eventId]);
  const { rowCount } = await tx.query(
    `UPDATE tinystore_order.payment_event e SET trade_id = $2, verdict = NULL, judged_at = NULL
     WHERE e.event_id = $1 AND e.trade_id IS NULL
       AND NOT EXISTS (SELECT FROM tinystore_order.late_payment l WHERE l.event_id = e.event_id)`,
    [eventId, tradeId],
  );
  if (rowCount !== 1) return false;
  await closeIncident(tx, { kind: 'UNMATCHED_PAYMENT', subject: eventId, by: 'payment.unmatched' });
  return true;
}
