/** promotion.time-out: orders whose coupon was not locked in time are cancelled. */
import { timeOutPromotions } from '@holdfast/core/order';
import type { JobDeps, JobDetail } from './job.ts';

const MAX_BATCHES_A_RUN = 50;
/** Orders that could not be cancelled, named for the console. */
const MAX_NAMED = 20;

export async function runTimeOutPromotions({ pool, waker, log, config }: JobDeps): Promise<JobDetail> {
  const { ORDER_PROMOTION_PENDING_TIMEOUT_SECONDS, ORDER_PROMOTION_PENDING_TIMEOUT_BATCH_SIZE } = config.order;
  const limits = {
    pendingSeconds: ORDER_PROMOTION_PENDING_TIMEOUT_SECONDS,
    batchSize: ORDER_PROMOTION_PENDING_TIMEOUT_BATCH_SIZE,
    maxBatches: MAX_BATCHES_A_RUN,
  };
  const { scanned, cancelled, failed } = await timeOutPromotions({ pool, waker, log }, limits);
  return { scanned, changed: cancelled, failed: failed.length, trades: failed.slice(0, MAX_NAMED) };
}
