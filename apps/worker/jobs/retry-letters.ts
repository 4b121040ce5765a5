/** stream.retry: due tries of failing messages, and what waits behind them (P33). */
import { retryLetters } from '@holdfast/core/stream';
import { CONSUMERS } from '../consumers/register.ts';
import type { JobDeps, JobDetail } from './job.ts';

export async function runRetryLetters({ letters, waker }: JobDeps): Promise<JobDetail> {
  const summary = await retryLetters(letters, CONSUMERS);
  if (summary.resolved > 0) for (const topic of ['outbox', 'effects'] as const) waker.wake(topic);
  return { scanned: summary.resolved + summary.failed, changed: summary.resolved, failed: summary.failed };
}
