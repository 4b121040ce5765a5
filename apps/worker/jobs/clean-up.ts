/**
 * outbox.clean-up: removes what has done its work, page by page: sent events, applied gate effects, inbox rows (which
 * outlive the topics' retention, P34), carts that nobody can open any more, and job runs. Pending and parked rows are never removed for their age.
 */
import { pruneOutbox } from '@holdfast/core/outbox';
import type { Pool } from '@holdfast/core/platform';
import type { JobDeps, JobDetail } from './job.ts';

const PAGE = 5000;
const MAX_PAGES = 2000;

export const DONE_WITH = {
  gateEffects: {
    table: 'tinystore_inventory.gate_effect',
    old: `status = 'APPLIED' AND applied_at < ops.clock_now() - interval '7 days'`,
  },
  // Longer than any outbox row may be kept (config), else order.audit takes what was handled for lost.
  inboxEvents: { table: 'tinystore_inventory.inbox_event', old: `processed_at < ops.clock_now() - interval '14 days'` },
  deadLetters: {
    table: 'tinystore_inventory.dead_letter',
    old: `status IN ('RESOLVED', 'DISCARDED') AND updated_at < ops.clock_now() - interval '14 days'`,
  },
  // The cookie that a cart belongs to lives for a year: nobody can open it any more.
  carts: {
    table: 'tinystore_order.cart',
    old: `created_at < ops.clock_now() - interval '400 days' AND NOT EXISTS (
      SELECT FROM tinystore_order.trade t WHERE t.buyer_id = cart.buyer_id AND t.cart_id = cart.id AND t.status = 'UNPAID')`,
  },
  jobRuns: { table: 'tinystore_inventory.job_run', old: `started_at < ops.clock_now() - interval '14 days'` },
} as const;

export async function cleanUp({ cleanUpPool, config }: Pick<JobDeps, 'cleanUpPool' | 'config'>): Promise<JobDetail> {
  const gone: Record<string, number> = {
    outboxEvents: await pruneOutbox(cleanUpPool, { retentionDays: config.order.ORDER_OUTBOX_RETENTION_DAYS }),
  };
  for (const [name, { table, old }] of Object.entries(DONE_WITH)) gone[name] = await prune(cleanUpPool, table, old);
  const changed = Object.values(gone).reduce((sum, rows) => sum + rows, 0);
  return { ...gone, scanned: changed, changed, failed: 0 };
}

async function prune(pool: Pool, table: string, old: string): Promise<number> {
  let gone = 0;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { rowCount } = await pool.query(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${old} LIMIT ${PAGE}))`,
    );
    gone += rowCount ?? 0;
    if ((rowCount ?? 0) < PAGE) break;
  }
  return gone;
}
