/** gate.finish-switch: mode switches that a crash left half-way are gone on with (P20); the SKU is not for sale until then. */
import { finishSwitches } from '@holdfast/core/ledger';
import type { JobDeps, JobDetail } from './job.ts';

const MAX_SWITCHES_A_RUN = 200;

export async function runFinishSwitches({ pool, waker, log }: JobDeps): Promise<JobDetail> {
  const { scanned, finished, failed } = await finishSwitches({ pool, waker, log }, { limit: MAX_SWITCHES_A_RUN });
  return { scanned, changed: finished, failed: failed.length, skus: failed };
}
