/** payment.send-refunds: money that is due back, each under its own id, until the provider says that it is back (P31). */
import { sendRefunds } from '@holdfast/core/order';
import type { JobDeps, JobDetail } from './job.ts';

const MAX_REFUNDS_A_RUN = 500;

export async function runSendRefunds({ pool, waker, log, provider }: JobDeps): Promise<JobDetail> {
  return { ...(await sendRefunds({ pool, waker, log, provider }, { limit: MAX_REFUNDS_A_RUN })) };
}
