/** reservation.expire and order.time-out: one function ends trades past `pay_until`; the second to come finds nothing (P25). */
import { endByTime } from '@holdfast/core/order';
import type { JobDeps, JobDetail } from './job.ts';

const MAX_TRADES_A_RUN = 50_000;

export async function runEndByTime({ pool, waker, log }: JobDeps): Promise<JobDetail> {
  return { ...(await endByTime({ pool, waker, log }, { limit: MAX_TRADES_A_RUN })) };
}
