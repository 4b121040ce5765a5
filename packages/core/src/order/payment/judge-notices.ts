/**
 * Job payment.judge: notices that are stored and not judged yet (P25). Oldest first; one that fails is passed over
 * and tried again in the next run.
 */
import { classifyDatabaseError, type Sql } from '../../platform/index.ts';
import type { TradeDeps } from '../trade/change-trades.ts';
import { judgeNotice } from './judge-notice.ts';

/** Judges up to `limit` notices and answers how many were judged. */
export async function judgeNotices(deps: TradeDeps, { limit }: { readonly limit: number }): Promise<number> {
  let judged = 0;
  const failed: string[] = [];
  for (const eventId of await findUnjudged(deps.pool, limit)) {
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
  const { rows } = await sql.query<{ event_id: string }>(
    'SELECT event_id FROM tinystore_order.payment_event WHERE judged_at IS NULL ORDER BY received_at LIMIT $1',
    [limit],
  );
  return rows.map((row) => row.event_id);
}
