/** order.audit: goes on where the last run ended, whichever worker that was (P34). */
import { type AuditMark, auditOrders } from '@holdfast/core/reconcile';
import { CONSUMERS } from '../consumers/register.ts';
import type { JobDeps, JobDetail } from './job.ts';

export const AUDIT_JOB = 'order.audit';

export async function runAuditOrders({ pool, cleanUpPool, stream, log, wakeRelay }: JobDeps): Promise<JobDetail> {
  const { rows } = await pool.query<AuditMark>(
    `SELECT coalesce((detail->>'resumeAfter')::bigint, 0) AS "resumeAfter", detail->>'checkedUpTo' AS "checkedUpTo"
     FROM tinystore_inventory.job_run WHERE job = $1 AND outcome = 'DONE' ORDER BY id DESC LIMIT 1`,
    [AUDIT_JOB],
  );
  const mark = rows[0] ?? { resumeAfter: 0, checkedUpTo: null };
  const summary = await auditOrders({ pool: cleanUpPool, stream, log, readers: CONSUMERS }, mark);
  if (summary.sentAgain > 0) wakeRelay();
  return { ...summary, changed: summary.sentAgain, failed: 0 };
}
