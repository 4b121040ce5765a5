/** What the worker needs to be ready, each asked with its latency by /readyz. */
import { checkGate, checkPostgres, checkRedis, type DependencyCheck } from '@holdfast/core/ops';
import type { RunningConsumer } from '@holdfast/core/stream';
import type { RunningJobs } from './jobs/start-jobs.ts';
import type { WorkerStores } from './open-stores.ts';

export function checkWorker(
  stores: WorkerStores,
  consumers: readonly RunningConsumer[],
  jobs: RunningJobs,
): DependencyCheck[] {
  return [
    checkPostgres(stores.pool),
    checkRedis(stores.plainRedis),
    { name: 'kafka', check: () => stores.kafkaProbe.check() },
    // The worker is what opens the gate, so it is not ready before it has.
    { ...checkGate(stores.pool), needed: true },
    ...consumers.map(checkConsumer),
    { name: 'jobs', check: async () => refuseLate(jobs.late()) },
  ];
}

function checkConsumer(consumer: RunningConsumer): DependencyCheck {
  return {
    name: `consumer ${consumer.name}`,
    check: async () => {
      const { running, waitingFor } = consumer.health();
      if (!running) throw new Error('not a member of its group');
      if (waitingFor) throw new Error(`waits for ${waitingFor}`);
    },
  };
}

function refuseLate(late: readonly string[]): void {
  if (late.length > 0) throw new Error(`no run for three intervals: ${late.join(', ')}`);
}
