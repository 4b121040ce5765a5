/**
 * Job payment.judge: notices that are stored and not judged yet (P25). Oldest first; one that fails is passed over
 * and tried again in the next run. One that has failed for a minute is told to a person: never silence about money.
 */
import { openIncident } from '../../ops/index.ts';
import { classifyDatabaseError, type Sql } from '../../platform/index.ts';
import type { TradeDeps } from '../trade/change-trades.ts';
import { judgeNotice } from './judge-notice.ts';

const TELL_AFTER = '1 minute';

interface Unjudged {
  readonly eventId: string;
  readonly tradeId: string | null;
  /** Long enough to be told. */
  readonly overdue: boolean;
}

export interface JudgedNotices {
  readonly judged: number;
  readonly failed: number;
}

export async function judgeNotices(deps: TradeDeps, { limit }: { readonly limit: number }): Promise<JudgedNotices> {
  let judged = 0;
  const failed: string[] = [];
  for (const notice of await findUnjudged(deps.pool, limit)) {
    if (await tryToJudge(deps, notice)) judged += 1;
    else failed.push(notice.eventId);
  }
  if (failed.length > 0) deps.log.warn({ failed }, 'payment notices that could not be judged');
  await closeJudged(deps.pool);
  return { judged, failed: failed.length };
}

async function tryToJudge(deps: TradeDeps, { eventId, tradeId, overdue }: Unjudged): Promise<boolean> {
  try {
    return (await judgeNotice(deps, eventId)) !== null;
  } catch (error) {
    if (classifyDatabaseError(error) === 'outage') throw error;
    deps.log.error({ error, eventId }, 'a stored payment notice could not be judged');
    if (overdue)
      await openIncident(deps.pool, {
        kind: 'PAYMENT_NOT_JUDGED',
        subject: eventId,
        detail: { tradeId, error: String(error) },
      });
    return false;
  }
}

async function findUnjudged(sql: Sql, limit: number): Promise<Unjudged[]> {
  const { rows } = await sql.query<Unjudged>(
    `SELECT event_id AS "eventId", trade_id AS "tradeId", received_at < ops.clock_now() - $2::interval AS overdue
     FROM tinystore_order.payment_event WHERE judged_at IS NULL ORDER BY received_at LIMIT $1`,
    [limit, TELL_AFTER],
  );
  return rows;
}

/** Whoever judged it: this job, the next notice of its order, or a payment that looked first. */
async function closeJudged(sql: Sql): Promise<void> {
  await sql.query(
    `UPDATE ops.incident i SET status = 'CLOSED', closed_at = ops.clock_now(), closed_by = 'payment.judge'
     FROM tinystore_order.payment_event e
     WHERE i.kind = 'PAYMENT_NOT_JUDGED' AND i.status = 'OPEN' AND e.event_id = i.subject AND e.judged_at IS NOT NULL`,
  );
}
