/** inventory.reconcile: compares both books, explains, logs, repairs what P37 allows. */
import { reconcile } from '@holdfast/core/reconcile';
import type { JobDeps, JobDetail } from './job.ts';

export async function runReconcile({ config, pool, gate, log, metrics, waker }: JobDeps): Promise<JobDetail> {
  const proofAgeMs = config.gate.INVENTORY_UNCOMMIT_CLEANUP_PROOF_AGE;
  const run = await reconcile({ pool, gate, log, metrics, waker, proofAgeMs });
  return { ...run, scanned: run.skus, changed: run.reinstalled, failed: run.unknown };
}
