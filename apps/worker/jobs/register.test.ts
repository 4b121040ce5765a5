import { testConfig } from '@holdfast/core/testing';
import { expect, test } from 'vitest';
import { JOBS } from './register.ts';

const at = (id: string, env: Record<string, string> = {}) =>
  JOBS.find((job) => job.id === id)?.schedule(testConfig(env));

test('every job has an id of its own', () => {
  expect(new Set(JOBS.map((job) => job.id)).size).toBe(JOBS.length);
});

test('the usual cadences are those of the design, section 10', () => {
  expect(Object.fromEntries(JOBS.map((job) => [job.id, job.schedule(testConfig())]))).toEqual({
    'outbox.publish': { everyMs: 1000 },
    'gate.effects': { everyMs: 1000 },
    'gate.watch': { everyMs: 1000 },
    'stream.retry': { everyMs: 1000 },
    'order.audit': { everyMs: 600_000 },
    'reservation.expire': { everyMs: 60_000 },
    'order.time-out': { everyMs: 60_000 },
    'gate.sweep-ghost-holds': { everyMs: 60_000 },
    'gate.finish-switch': { everyMs: 10_000 },
    'payment.judge': { everyMs: 5000 },
    'payment.send-refunds': { everyMs: 5000 },
    'order.auto-receive': { everyMs: 3_600_000 },
    'payment.late-money': { everyMs: 5000 },
    'payment.unmatched': { everyMs: 60_000 },
    'payment.compare': { everyMs: 3_600_000 },
    'demo-provider.deliver': { everyMs: 1000 },
    'promotion.time-out': { everyMs: 10_000 },
    'inventory.reconcile': { everyMs: 600_000 },
    'outbox.clean-up': { pattern: '0 0 3 * * *' },
  });
});

test('cadences follow the configuration', () => {
  expect(at('inventory.reconcile', { INVENTORY_RECONCILIATION_FIXED_DELAY: 'PT5S' })).toEqual({ everyMs: 5000 });
  expect(at('order.time-out', { ORDER_SCHEDULER_PAYMENT_TIMEOUT_INTERVAL: '2000' })).toEqual({ everyMs: 2000 });
  expect(at('gate.sweep-ghost-holds', { INVENTORY_UNCOMMIT_CLEANUP_PROOF_AGE: 'PT5S' })).toEqual({ everyMs: 5000 });
});

test('reconcile and expiry can be switched off', () => {
  const config = testConfig({
    INVENTORY_RECONCILIATION_ENABLED: 'false',
    INVENTORY_RESERVATION_EXPIRY_ENABLED: 'false',
  });
  expect(JOBS.filter((job) => job.enabled?.(config) === false).map((job) => job.id)).toEqual([
    'reservation.expire',
    'inventory.reconcile',
  ]);
});
