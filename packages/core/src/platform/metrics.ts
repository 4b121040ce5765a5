/** Prometheus metrics of one process. A registry is made by main, never on import. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function createMetrics(process: string) {
  const registry = new Registry();
  registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    orders: new Counter({
      name: 'holdfast_orders_total',
      help: 'Order requests by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    orderSeconds: new Histogram({
      name: 'holdfast_order_seconds',
      help: 'Time of one order request.',
      buckets: SECONDS,
      registers,
    }),
    commitBatch: new Histogram({
      name: 'holdfast_commit_batch_orders',
      help: 'Orders in one group commit.',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 200],
      registers,
    }),
    gateClosed: new Counter({
      name: 'holdfast_gate_closed_total',
      help: 'Times a process saw the gate closed, by cause.',
      labelNames: ['cause'],
      registers,
    }),
    gateRebuilds: new Counter({ name: 'holdfast_gate_rebuilds_total', help: 'Rebuilds of the gate.', registers }),
    gateEffects: new Counter({
      name: 'holdfast_gate_effects_total',
      help: 'Gate effects applied, by kind.',
      labelNames: ['kind'],
      registers,
    }),
    relaySent: new Counter({ name: 'holdfast_outbox_sent_total', help: 'Outbox events sent.', registers }),
    consumed: new Counter({
      name: 'holdfast_events_consumed_total',
      help: 'Events handled, by consumer and type.',
      labelNames: ['consumer', 'type'],
      registers,
    }),
    deadLetters: new Counter({
      name: 'holdfast_dead_letters_total',
      help: 'Messages that became dead letters.',
      labelNames: ['consumer'],
      registers,
    }),
    jobs: new Counter({
      name: 'holdfast_job_runs_total',
      help: 'Job runs by outcome.',
      labelNames: ['job', 'outcome'],
      registers,
    }),
    databaseRetries: new Counter({
      name: 'holdfast_database_retries_total',
      help: 'Repeated database work, by SQLSTATE.',
      labelNames: ['code'],
      registers,
    }),
    unexplainedDrift: new Gauge({
      name: 'holdfast_unexplained_drift_units',
      help: 'Sum of absolute unexplained drift in the last reconcile run.',
      registers,
    }),
  };
}
