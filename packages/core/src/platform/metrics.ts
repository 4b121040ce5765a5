/** Prometheus metrics of one process. A registry is made by main, never on import. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const ORDERS = [1, 2, 4, 8, 16, 32, 64, 128, 200];

export function createMetrics(process: string) {
  const registry = new Registry();
  registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter({ name: `holdfast_${name}`, help, labelNames, registers });
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name: `holdfast_${name}`, help, buckets, registers });
  return {
    registry,
    orders: counter('orders_total', 'Order requests by outcome.', 'outcome'),
    orderSeconds: histogram('order_seconds', 'Time of one order request.', SECONDS),
    commitBatch: histogram('commit_batch_orders', 'Orders in one group commit.', ORDERS),
    gateClosed: counter('gate_closed_total', 'Times a process saw the gate closed, by cause.', 'cause'),
    gateRebuilds: counter('gate_rebuilds_total', 'Rebuilds of the gate.'),
    gateEffects: counter('gate_effects_total', 'Gate effects applied, by kind.', 'kind'),
    relaySent: counter('outbox_sent_total', 'Outbox events sent.'),
    consumed: counter('events_consumed_total', 'Events handled, by consumer and type.', 'consumer', 'type'),
    deadLetters: counter('dead_letters_total', 'Messages that became dead letters.', 'consumer'),
    jobs: counter('job_runs_total', 'Job runs by outcome.', 'job', 'outcome'),
    databaseRetries: counter('database_retries_total', 'Repeated database work, by SQLSTATE.', 'code'),
    unexplainedDrift: new Gauge({
      name: 'holdfast_unexplained_drift_units',
      help: 'Sum of absolute unexplained drift in the last reconcile run.',
      registers,
    }),
  };
}
