/**
 * What each job would do if it ran now, for `npm run job -- <id> --dry-run`: looks only, nothing is written. A test runs
 * every job after its preview and finds the same figure.
 */
import { inTransaction, type Pool } from '@holdfast/core/platform';
import { previewAudit, previewReconcile, previewSweep } from '@holdfast/core/reconcile';
import { CONSUMERS } from '../consumers/register.ts';
import { DONE_WITH } from './clean-up.ts';
import type { JobDeps } from './job.ts';

export interface JobPreview {
  readonly scanned: number;
  /** What a run would change. */
  readonly changed: number;
}

const PAST_THEIR_TIME = `tinystore_order.trade t WHERE t.status = 'UNPAID' AND t.pay_until < ops.clock_now()
  AND NOT EXISTS (SELECT FROM tinystore_order.payment_event e
                  WHERE e.trade_id = t.id AND e.kind = 'SUCCEEDED' AND e.judged_at IS NULL AND e.received_at <= t.pay_until)`;
const EFFECTS = `tinystore_inventory.gate_effect WHERE status = 'PENDING'`;

const endsByTime = ({ pool }: JobDeps) => count(pool, PAST_THEIR_TIME);

export const PREVIEWS: Record<string, (deps: JobDeps) => Promise<JobPreview>> = {
  'outbox.publish': ({ pool }) => count(pool, `tinystore_order.outbox_pending WHERE status = 'PENDING'`),
  'gate.effects': ({ pool }) => count(pool, EFFECTS),
  'gate.watch': ({ pool }) =>
    count(pool, `tinystore_inventory.gate_epoch WHERE NOT open OR closed_reported IS NOT NULL`),
  'stream.retry': ({ pool }) =>
    count(
      pool,
      `tinystore_inventory.dead_letter WHERE status IN ('RETRYING', 'DEAD') AND next_attempt_at <= ops.clock_now()`,
    ),
  'reservation.expire': endsByTime,
  'order.time-out': endsByTime,
  'gate.sweep-ghost-holds': ({ config, pool, gate, log, waker }) =>
    previewSweep({
      ...{ pool, gate, log, waker },
      proofAgeMs: config.gate.INVENTORY_UNCOMMIT_CLEANUP_PROOF_AGE,
      incidentAgeMs: config.gate.INVENTORY_UNCOMMIT_CLEANUP_TIMEOUT,
    }),
  'payment.judge': ({ pool }) => count(pool, 'tinystore_order.payment_event WHERE judged_at IS NULL'),
  'payment.send-refunds': ({ pool }) =>
    count(
      pool,
      `tinystore_order.refund d WHERE d.status IN ('REQUESTED', 'SENT', 'FAILED') AND d.next_attempt_at <= ops.clock_now()
         AND NOT (d.cause = 'CANCELLED' AND EXISTS (
           SELECT FROM tinystore_order.order_line_hold h
           LEFT JOIN tinystore_inventory.inventory_reservation v ON v.reservation_id = h.reservation_id
           WHERE h.trade_id = d.trade_id AND h.state = 'CURRENT' AND coalesce(v.status, 'PRE_DEDUCTED') = 'PRE_DEDUCTED'))`,
    ),
  'order.auto-receive': ({ pool, config }) =>
    count(
      pool,
      `tinystore_order.shop_order WHERE status = 'SHIPPED' AND shipped_at <= ops.clock_now() - make_interval(secs => $1::float8)`,
      [config.order.ORDER_AUTO_RECEIVE_TIMEOUT_SECONDS],
    ),
  'inventory.reconcile': ({ config, pool, gate }) =>
    previewReconcile({ pool, gate, proofAgeMs: config.gate.INVENTORY_UNCOMMIT_CLEANUP_PROOF_AGE }),
  'order.audit': ({ cleanUpPool, stream, log }) => previewAudit({ pool: cleanUpPool, stream, log, readers: CONSUMERS }),
  'gate.finish-switch': ({ pool }) => count(pool, `tinystore_inventory.inventory_stock WHERE gate_mode = 'SWITCHING'`),
  'payment.late-money': ({ pool }) =>
    count(
      pool,
      `tinystore_order.late_payment WHERE status IN ('OPEN', 'REVIVING', 'REFUND_DUE') AND next_attempt_at <= ops.clock_now()`,
    ),
  'payment.unmatched': ({ pool }) =>
    count(
      pool,
      `tinystore_order.payment_event e WHERE e.verdict = 'UNMATCHED' AND e.kind = 'SUCCEEDED'
         AND e.received_at < ops.clock_now() - interval '30 minutes' AND e.amount_minor IS NOT NULL AND e.currency IS NOT NULL
         AND NOT EXISTS (SELECT FROM tinystore_order.late_payment l WHERE l.event_id = e.event_id)`,
    ),
  'promotion.time-out': ({ pool, config }) =>
    count(
      pool,
      `tinystore_order.promotion_lock p JOIN tinystore_order.trade t ON t.id = p.trade_id
       WHERE p.status = 'PENDING' AND p.created_at < ops.clock_now() - make_interval(secs => $1) AND t.status = 'UNPAID'`,
      [config.order.ORDER_PROMOTION_PENDING_TIMEOUT_SECONDS],
    ),
  // What it will find only the provider knows.
  'payment.compare': async ({ pool }) => {
    const recent = `tinystore_order.payment_intent
      WHERE provider_ref IS NOT NULL AND created_at > ops.clock_now() - interval '2 days'`;
    return { ...(await count(pool, recent)), changed: 0 };
  },
  'demo-provider.deliver': ({ pool }) =>
    count(pool, 'demo_provider.notice WHERE delivered_at IS NULL AND next_attempt_at <= ops.clock_now()'),
  'outbox.clean-up': async ({ cleanUpPool, config }) => {
    const sent = `tinystore_order.outbox_sent s WHERE s.sent_at < ops.clock_now() - make_interval(days => $1)
      AND NOT EXISTS (SELECT FROM tinystore_order.outbox_pending o WHERE o.id = s.id)`;
    const found = [await count(cleanUpPool, sent, [config.order.ORDER_OUTBOX_RETENTION_DAYS])];
    for (const { table, old } of Object.values(DONE_WITH))
      found.push(await count(cleanUpPool, `${table} WHERE ${old}`));
    const changed = found.reduce((sum, preview) => sum + preview.changed, 0);
    return { scanned: changed, changed };
  },
};

async function count(pool: Pool, what: string, values: readonly unknown[] = []): Promise<JobPreview> {
  return inTransaction(pool, async (tx) => {
    await tx.query('SET TRANSACTION READ ONLY');
    const { rows } = await tx.query<{ n: number }>(`SELECT count(*)::integer AS n FROM ${what}`, values);
    const n = rows[0]?.n ?? 0;
    return { scanned: n, changed: n };
  });
}
