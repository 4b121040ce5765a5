/**
 * Job payment.unmatched (P30): notices that named no order of ours. One whose order has turned up since is judged like
 * any other (C20); money that nobody asked for within 30 minutes goes back.
 */
import { closeIncident } from '../../ops/index.ts';
import { classifyDatabaseError, type Sql, type Tx } from '../../platform/index.ts';
import { changeTrades, type TradeDeps } from '../trade/change-trades.ts';
import { judgeNotice } from './judge-notice.ts';
import { keepLatePayment } from './keep-late-payment.ts';
import { lookAtCharge } from './look-at-charge.ts';

/** Unmatched notices are looked at for a day; those with money have gone back long before. */
const MATCH_WITHIN = '1 day';
const REFUND_AFTER = '30 minutes';

export interface UnmatchedSummary {
  readonly scanned: number;
  readonly matched: number;
  readonly givenBack: number;
  readonly failed: number;
}

export async function matchUnmatched(
  deps: TradeDeps,
  { limit }: { readonly limit: number },
): Promise<UnmatchedSummary> {
  const sum = { scanned: 0, matched: 0, givenBack: 0, failed: 0 };
  const each = async (
    ids: readonly string[],
    count: 'matched' | 'givenBack',
    work: (id: string) => Promise<boolean>,
  ) => {
    sum.scanned += ids.length;
    for (const id of ids)
      try {
        if (await work(id)) sum[count] += 1;
      } catch (error) {
        if (classifyDatabaseError(error) === 'outage') throw error;
        deps.log.error({ error, eventId: id }, 'an unmatched payment notice could not be dealt with');
        sum.failed += 1;
      }
  };
  await each(
    await findMatchable(deps.pool, limit),
    'matched',
    async (id) => (await judgeNotice(deps, id)) !== 'UNMATCHED',
  );
  await each(await findOverdue(deps.pool, limit), 'givenBack', (id) => changeTrades(deps, (tx) => giveBack(tx, id)));
  return sum;
}

async function findMatchable(sql: Sql, limit: number): Promise<string[]> {
  const { rows } = await sql.query<{ event_id: string }>(
    `SELECT e.event_id FROM tinystore_order.payment_event e
     WHERE e.verdict = 'UNMATCHED' AND e.received_at > ops.clock_now() - $2::interval
       AND EXISTS (SELECT FROM tinystore_order.payment_intent p WHERE p.id = e.intent_id
                   UNION ALL SELECT FROM tinystore_order.payment_intent p WHERE p.provider_ref = e.intent_ref)
       AND NOT EXISTS (SELECT FROM tinystore_order.late_payment l WHERE l.event_id = e.event_id)
     ORDER BY e.received_at LIMIT $1`,
    [limit, MATCH_WITHIN],
  );
  return rows.map((row) => row.event_id);
}

async function findOverdue(sql: Sql, limit: number): Promise<string[]> {
  const { rows } = await sql.query<{ event_id: string }>(
    `SELECT e.event_id FROM tinystore_order.payment_event e
     WHERE e.verdict = 'UNMATCHED' AND e.kind = 'SUCCEEDED' AND e.received_at < ops.clock_now() - $2::interval
       AND e.amount_minor IS NOT NULL AND e.currency IS NOT NULL
       AND NOT EXISTS (SELECT FROM tinystore_order.late_payment l WHERE l.event_id = e.event_id)
     ORDER BY e.received_at LIMIT $1`,
    [limit, REFUND_AFTER],
  );
  return rows.map((row) => row.event_id);
}

/** The notice stays locked, so that its order cannot claim it at the same time. */
async function giveBack(tx: Tx, eventId: string): Promise<boolean> {
  const { rows } = await tx.query<{
    eventId: string;
    amountMinor: number;
    currency: string;
    chargeRef: string | null;
  }>(
    `SELECT event_id AS "eventId", amount_minor AS "amountMinor", currency, charge_ref AS "chargeRef"
     FROM tinystore_order.payment_event WHERE event_id = $1 AND verdict = 'UNMATCHED' AND trade_id IS NULL FOR UPDATE`,
    [eventId],
  );
  const [notice] = rows;
  if (!notice) return false;
  const { chargeJudged } = await lookAtCharge(tx, notice);
  if (chargeJudged) {
    await note(tx, eventId);
    return false;
  }
  await keepLatePayment(tx, null, notice, 'UNMATCHED');
  return true;
}

/** Another notice of the same charge has found its order, or goes back already: nothing is to be done here. */
async function note(tx: Tx, eventId: string): Promise<void> {
  await tx.query(`UPDATE tinystore_order.payment_event SET verdict = 'NOTED' WHERE event_id = $1`, [eventId]);
  await closeIncident(tx, { kind: 'UNMATCHED_PAYMENT', subject: eventId, by: 'payment.unmatched' });
}
