/** payment.compare: the provider's view of recent intents against ours; a missed success is fetched. */
import { compareIntents } from '@holdfast/core/order';
import type { JobDeps, JobDetail } from './job.ts';

const MAX_INTENTS_A_RUN = 20_000;

export async function runCompare({ pool, waker, log, provider }: JobDeps): Promise<JobDetail> {
  const summary = await compareIntents({ pool, waker, log, provider }, { limit: MAX_INTENTS_A_RUN });
  return { ...summary, changed: summary.fetched, failed: summary.failed + summary.unknown };
}
