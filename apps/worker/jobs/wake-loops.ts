/**
 * outbox.publish, gate.effects and gate.watch: the loops run on timers of their own, so that they need neither Redis
 * nor the queue (P35); the jobs wake them once more.
 */
import type { Pool } from '@holdfast/core/platform';
import type { JobDeps, JobDetail } from './job.ts';

/** Counted no further than one batch: the loop does the work, the job only wakes it. */
const MAX_COUNTED = 5000;

export async function publishOutbox({ wakeRelay, pool }: JobDeps): Promise<JobDetail> {
  wakeRelay();
  return woken(pool, `tinystore_order.outbox_pending WHERE status = 'PENDING'`);
}

export async function tendGate({ wakeGatekeeper, pool }: JobDeps): Promise<JobDetail> {
  wakeGatekeeper();
  return woken(pool, `tinystore_inventory.gate_effect WHERE status = 'PENDING'`);
}

async function woken(pool: Pool, waiting: string): Promise<JobDetail> {
  const { rows } = await pool.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM (SELECT FROM ${waiting} LIMIT ${MAX_COUNTED}) w`,
  );
  return { scanned: rows[0]?.n ?? 0, changed: 0, failed: 0 };
}
