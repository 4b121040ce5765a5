/** payment.unmatched: notices whose order has turned up are judged; money that nobody asked for goes back (P30). */
import { matchUnmatched } from '@holdfast/core/order';
import type { JobDeps, JobDetail } from './job.ts';

const MAX_NOTICES_A_RUN = 500;

export async function runUnmatched({ pool, waker, log }: JobDeps): Promise<JobDetail> {
  const summary = await matchUnmatched({ pool, waker, log }, { limit: MAX_NOTICES_A_RUN });
  return { ...summary, changed: summary.matched + summary.givenBack };
}
