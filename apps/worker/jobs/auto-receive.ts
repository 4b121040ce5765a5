/** order.auto-receive: what was shipped long enough ago counts as received (P29). */
import { autoReceive } from '@holdfast/core/order';
import type { JobDeps, JobDetail } from './job.ts';

const MAX_TRADES_A_RUN = 10_000;

export async function runAutoReceive({ pool, waker, log, config }: JobDeps): Promise<JobDetail> {
  const afterSeconds = config.order.ORDER_AUTO_RECEIVE_TIMEOUT_SECONDS;
  return { ...(await autoReceive({ pool, waker, log }, { afterSeconds, limit: MAX_TRADES_A_RUN })) };
}
