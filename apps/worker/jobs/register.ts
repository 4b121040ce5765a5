/** Every job of the worker, as data (design section 10). What it does stands in the file of its handler. */

import { AUDIT_JOB, runAuditOrders } from './audit-orders.ts';
import { runAutoReceive } from './auto-receive.ts';
import { cleanUp } from './clean-up.ts';
import { deliverDemoNotices } from './deliver-demo-notices.ts';
import { runEndByTime } from './end-by-time.ts';
import { runFinishSwitches } from './finish-switches.ts';
import type { JobDefinition } from './job.ts';
import { judgePayments } from './judge-payments.ts';
import { runRetryLetters } from './retry-letters.ts';
import { runCompare } from './run-compare.ts';
import { runLateMoney } from './run-late-money.ts';
import { runReconcile } from './run-reconcile.ts';
import { runUnmatched } from './run-unmatched.ts';
import { runSendRefunds } from './send-refunds.ts';
import { SWEEP_JOB, sweepGhosts } from './sweep-ghosts.ts';
import { runTimeOutPromotions } from './time-out-promotions.ts';
import { publishOutbox, tendGate } from './wake-loops.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const daily = ({ hour, minute }: { hour: number; minute: number }) => ({ pattern: `0 ${minute} ${hour} * * *` });

export const JOBS: readonly JobDefinition[] = [
  {
    id: 'outbox.publish',
    schedule: (c) => ({ everyMs: c.order.ORDER_OUTBOX_POLL_INTERVAL }),
    timeLimitMs: 5 * SECOND,
    run: publishOutbox,
  },
  {
    id: 'gate.effects',
    schedule: (c) => ({ everyMs: c.jobs.JOB_GATE_EFFECTS_INTERVAL }),
    timeLimitMs: 5 * SECOND,
    run: tendGate,
  },
  {
    id: 'gate.watch',
    schedule: (c) => ({ everyMs: c.jobs.JOB_GATE_WATCH_INTERVAL }),
    timeLimitMs: 5 * SECOND,
    run: tendGate,
  },
  {
    id: 'stream.retry',
    schedule: (c) => ({ everyMs: c.jobs.JOB_STREAM_RETRY_INTERVAL }),
    timeLimitMs: MINUTE,
    run: runRetryLetters,
  },
  {
    id: AUDIT_JOB,
    schedule: (c) => ({ everyMs: c.jobs.JOB_ORDER_AUDIT_INTERVAL }),
    timeLimitMs: 5 * MINUTE,
    run: runAuditOrders,
  },
  {
    id: 'reservation.expire',
    schedule: (c) => ({ everyMs: c.inventory.INVENTORY_RESERVATION_EXPIRY_FIXED_DELAY }),
    enabled: (c) => c.inventory.INVENTORY_RESERVATION_EXPIRY_ENABLED,
    timeLimitMs: 10 * MINUTE,
    run: runEndByTime,
  },
  {
    id: 'order.time-out',
    schedule: (c) => ({ everyMs: c.order.ORDER_SCHEDULER_PAYMENT_TIMEOUT_INTERVAL }),
    timeLimitMs: 10 * MINUTE,
    run: runEndByTime,
  },
  // Never rarer than the proof age: a ghost is gone after two of them.
  {
    id: SWEEP_JOB,
    schedule: (c) => ({
      everyMs: Math.max(
        SECOND,
        Math.min(c.jobs.JOB_GATE_SWEEP_GHOST_HOLDS_INTERVAL, c.gate.INVENTORY_UNCOMMIT_CLEANUP_PROOF_AGE),
      ),
    }),
    timeLimitMs: MINUTE,
    run: sweepGhosts,
  },
  {
    id: 'gate.finish-switch',
    schedule: (c) => ({ everyMs: c.jobs.JOB_GATE_FINISH_SWITCH_INTERVAL }),
    timeLimitMs: MINUTE,
    run: runFinishSwitches,
  },
  {
    id: 'payment.judge',
    schedule: (c) => ({ everyMs: c.jobs.JOB_PAYMENT_JUDGE_INTERVAL }),
    timeLimitMs: MINUTE,
    run: judgePayments,
  },
  {
    id: 'payment.send-refunds',
    schedule: (c) => ({ everyMs: c.jobs.JOB_PAYMENT_SEND_REFUNDS_INTERVAL }),
    timeLimitMs: MINUTE,
    run: runSendRefunds,
  },
  {
    id: 'order.auto-receive',
    schedule: (c) => ({ everyMs: c.jobs.JOB_ORDER_AUTO_RECEIVE_INTERVAL }),
    timeLimitMs: 10 * MINUTE,
    run: runAutoReceive,
  },
  {
    id: 'payment.late-money',
    schedule: (c) => ({ everyMs: c.jobs.JOB_PAYMENT_LATE_MONEY_INTERVAL }),
    timeLimitMs: MINUTE,
    run: runLateMoney,
  },
  {
    id: 'payment.unmatched',
    schedule: (c) => ({ everyMs: c.jobs.JOB_PAYMENT_UNMATCHED_INTERVAL }),
    timeLimitMs: MINUTE,
    run: runUnmatched,
  },
  {
    id: 'payment.compare',
    schedule: (c) => ({ everyMs: c.jobs.JOB_PAYMENT_COMPARE_INTERVAL }),
    timeLimitMs: 5 * MINUTE,
    run: runCompare,
  },
  {
    id: 'demo-provider.deliver',
    schedule: (c) => ({ everyMs: c.jobs.JOB_DEMO_PROVIDER_DELIVER_INTERVAL }),
    enabled: (c) => c.process.HOLDFAST_PROFILE !== 'production',
    timeLimitMs: MINUTE,
    run: deliverDemoNotices,
  },
  {
    id: 'promotion.time-out',
    schedule: (c) => ({ everyMs: c.order.ORDER_PROMOTION_PENDING_TIMEOUT_CHECK_MS }),
    timeLimitMs: MINUTE,
    run: runTimeOutPromotions,
  },
  {
    id: 'inventory.reconcile',
    schedule: (c) => ({ everyMs: c.inventory.INVENTORY_RECONCILIATION_FIXED_DELAY }),
    enabled: (c) => c.inventory.INVENTORY_RECONCILIATION_ENABLED,
    timeLimitMs: 5 * MINUTE,
    run: runReconcile,
  },
  {
    id: 'outbox.clean-up',
    schedule: (c) => daily(c.jobs.JOB_OUTBOX_CLEAN_UP_AT),
    timeLimitMs: 60 * MINUTE,
    run: cleanUp,
  },
];
