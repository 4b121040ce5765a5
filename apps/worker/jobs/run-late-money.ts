/** payment.late-money: payments that their order could not take end as a revived order or as a refund (P28, P30). */
import { settleLateMoney } from '@holdfast/core/order';
import type { JobDeps, JobDetail } from './job.ts';

const MAX_PAYMENTS_A_RUN = 500;

export async function runLateMoney({ pool, gate, waker, log }: JobDeps): Promise<JobDetail> {
  const summary = await settleLateMoney({ pool, gate, waker, log }, { limit: MAX_PAYMENTS_A_RUN });
  return { ...summary, changed: summary.revived + summary.refunded };
}
