/** gate.sweep-ghost-holds: goes on where the last run's budget ended, whichever worker that was (P17). */
import { sweepGhostHolds } from '@holdfast/core/reconcile';
import type { JobDeps, JobDetail } from './job.ts';

export const SWEEP_JOB = 'gate.sweep-ghost-holds';

export async function sweepGhosts({ config, pool, gate, log, waker }: JobDeps): Promise<JobDetail> {
  const { rows } = await pool.query<{ after: { shopId: string; skuId: string } | null }>(
    `SELECT detail->'resumeAfter' AS after FROM tinystore_inventory.job_run WHERE job = $1 AND outcome = 'DONE' ORDER BY id DESC LIMIT 1`,
    [SWEEP_JOB],
  );
  const summary = await sweepGhostHolds(
    {
      pool,
      gate,
      log,
      waker,
      proofAgeMs: config.gate.INVENTORY_UNCOMMIT_CLEANUP_PROOF_AGE,
      incidentAgeMs: config.gate.INVENTORY_UNCOMMIT_CLEANUP_TIMEOUT,
    },
    rows[0]?.after ?? null,
  );
  const { looked, abandoned, givenBack, settled, tombstones, unproven } = summary;
  const changed = givenBack + settled + tombstones;
  return { ...summary, scanned: looked, changed, failed: unproven, abandoned };
}
