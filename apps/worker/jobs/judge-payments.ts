/** payment.judge: notices that were stored and not judged, because a process died in between (P25). */
import { judgeNotices } from '@holdfast/core/order';
import type { JobDeps, JobDetail } from './job.ts';
import { PREVIEWS } from './previews.ts';

const JOB = 'payment.judge';
const MAX_NOTICES_A_RUN = 500;

export async function judgePayments(deps: JobDeps): Promise<JobDetail> {
  const { pool, waker, log } = deps;
  const waiting = Math.min(MAX_NOTICES_A_RUN, (await PREVIEWS[JOB]?.(deps))?.scanned ?? 0);
  const judged = await judgeNotices({ pool, waker, log }, { limit: MAX_NOTICES_A_RUN });
  return { scanned: Math.max(waiting, judged), changed: judged, failed: Math.max(0, waiting - judged) };
}
