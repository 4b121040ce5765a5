/**
 * Job payment.judge: notices that are stored and not judged yet (P25), and unmatched ones whose order has turned
 * up since (C20). Oldest first; one that fails is passed over and tried again in the next run.
 */
import { UUID_PATTERN } from '../../domain/index.ts';
import { classifyDatabaseError, type Sql } from '../../platform/index.ts';
import type { TradeDeps } from '../trade/change-trades.ts';
import { judgeNotice } from './judge-notice.ts';

/** Unmatched notices are looked at for a day; by then a person has dealt with their incident. */
const MATCH_WITHIN = '1 day';

/** Judges up to `limit` notices and answers how many were judged. */
export async function judgeNotices(deps: TradeDeps, { limit }: { readonly limit: number }): Promise<number> {
  let judged = 0;
  const failed: string[] = [];
  for (const find of [findUnjudged, findMatchable])
    for (const eventId of await find(deps.pool, limit - judged)) {
      if (await tryToJudge(deps, eventId)) judged += 1;
      else failed.push(eventId);
    }
  if (failed.length > 0) deps.log.warn({ failed }, 'payment notices that could not be judged');
  return judged;
}

async function tryToJudge(deps: TradeDeps, eventId: string): Promise<boolean> {
  try {
    return (await judgeNotice(deps, eventId)) !== null;
  } catch (error) {
    if (classifyDatabaseError(error) === 'outage') throw error;
    deps.log.error({ error, eventId }, 'a stored payment notice could not be judged');
    return false;
  }
}

async function findUnjudged(sql: Sql, limit: number): Promise<string[]> {
  return ids(
    sql,
    'SELECT event_id FROM tinystore_order.payment_event WHERE judged_at IS NULL ORDER BY received_at LIMIT $1',
    [limit],
  );
}

async function findMatchable(sql: Sql, limit: number): Promise<string[]> {
  return ids(
    sql,
    `SELECT e.event_id FROM tinystore_order.payment_event e
     JOIN tinystore_order.payment_intent p ON p.id = CASE WHEN e.intent_ref ~ $2 THEN e.intent_ref::uuid END
     WHERE e.trade_id IS NULL AND e.verdict = 'UNMATCHED' AND e.received_at > ops.clock_now() - $3::interval
     ORDER BY e.received_at LIMIT $1`,
    [limit, UUID_PATTERN.source, MATCH_WITHIN],
  );
}

async function ids(sql: Sql, text: string, values: readonly unknown[]): Promise<string[]> {
  const { rows } = await sql.query<{ event_id: string }>(text, values);
  return rows.map((row) => row.event_id);
}
