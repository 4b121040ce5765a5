/** Starts the two loops that need no job queue (P35): the gatekeeper and the relay, each woken by publishes. */
import { createGatekeeper } from '@holdfast/core/gate';
import { openIncident } from '@holdfast/core/ops';
import { type ClaimedEvent, createRelayLoop } from '@holdfast/core/outbox';
import {
  type Config,
  type Log,
  type Metrics,
  onWake,
  openInstallRedis,
  openSession,
  type Sql,
  type StopAt,
} from '@holdfast/core/platform';
import { createProducer, type Producer } from '@holdfast/core/stream';
import type { WorkerStores } from './open-stores.ts';

export interface LoopParts {
  readonly config: Config;
  readonly stores: WorkerStores;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Name of this process in the leases. */
  readonly holder: string;
  readonly stopAt?: StopAt | undefined;
}

export interface RunningLoops {
  wakeRelay(): void;
  wakeGatekeeper(): void;
  /** Ends what is under way and gives the leases up. */
  stop(): Promise<void>;
}

export async function startLoops({ config, stores, log, metrics, holder, stopAt }: LoopParts): Promise<RunningLoops> {
  const gatekeeper = createGatekeeper({
    pool: stores.gatekeeperPool,
    openSession: () => openSession(config.stores.DATABASE_URL, 'holdfast gatekeeper'),
    redis: stores.effectsRedis,
    openInstallRedis: () => openInstallRedis(config.stores.REDIS_URL),
    holder,
    metrics,
    log,
    ...(stopAt && { stopAt }),
  });
  const producer = stoppable(createProducer(stores.stream), stopAt);
  const relay = createRelayLoop({
    pool: stores.ledgerPool,
    producer,
    batchSize: config.order.ORDER_OUTBOX_BATCH_SIZE,
    pollMs: config.order.ORDER_OUTBOX_POLL_INTERVAL,
    holder,
    metrics,
    log,
    onParked: reportParked,
  });
  await onWake(stores.wakeRedis, (topic) => (topic === 'outbox' ? relay.wake() : gatekeeper.wake(topic)));
  gatekeeper.start();
  relay.start();
  return {
    wakeRelay: () => relay.wake(),
    wakeGatekeeper: () => gatekeeper.wake('gate'),
    async stop() {
      await Promise.all([relay.stop(), gatekeeper.stop()]);
      await producer.close();
    },
  };
}

/** A test may end the process between two steps of the relay. */
function stoppable(producer: Producer, stopAt: StopAt | undefined): Producer {
  if (!stopAt) return producer;
  return {
    ...producer,
    async send(messages) {
      await stopAt('relay.before-send');
      const placed = await producer.send(messages);
      await stopAt('relay.after-ack');
      return placed;
    },
  };
}

/** The later events of its key wait behind it and get no incident of their own. */
function reportParked(tx: Sql, { eventId, type, topic, key }: ClaimedEvent, reason: string): Promise<void> {
  return openIncident(tx, { kind: 'OUTBOX_PARKED', subject: eventId, detail: { eventId, type, topic, key, reason } });
}
