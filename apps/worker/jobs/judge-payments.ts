/** payment.judge: notices that were stored and not judged, because a process died in between (P25). */
import { judgeNotices } from '@holdfast/core/order';
import type { JobDeps, JobDetail } from './job.ts';

const MAX_NOTICES_A_RUN = 500;

export async function judgePayments({ pool, waker, log }: JobDeps): Promise<JobDetail> {
  const { judged, failed } = await judgeNotices({ pool, waker, log }, { limit: MAX_NOTICES_A_RUN });
  return { scanned: judged + failed, changed: judged, failed };
}
