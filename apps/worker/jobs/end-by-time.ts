/** reservation.expire and order.time-out: one function ends trades past `pay_until`; the second to come finds nothing (P25). */
import { endByTime } from '@holdfast/core/order';
import type { JobDeps, JobDetail } from './job.ts';

/** Trades that could not be ended, named for the console. */
const MAX_NAMED = 20;
const MAX_TRADES_A_RUN = 50_000;

export async function runEndByTime({ pool, waker, log }: JobDeps): Promise<JobDetail> {
  const { ended, failed } = await endByTime({ pool, waker, log }, { limit: MAX_TRADES_A_RUN });
  return { scanned: ended + failed.length, changed: ended, failed: failed.length, trades: failed.slice(0, MAX_NAMED) };
}
