/** Processes of the product in one history, wired as apps/web and apps/worker wire theirs, each with steps of its own. */
import { CONSUMERS } from '../../../../../apps/worker/consumers/register.ts';
import type { JobDeps } from '../../../../../apps/worker/jobs/job.ts';
import { createGate, createGatekeeper, type Gatekeeper } from '../../gate/index.ts';
import { createLetterReports } from '../../ops/console/index.ts';
import { createDemoProvider, createPlaceOrderDeps, type PaymentProvider, type PlaceOrderDeps } from '../../order/index.ts';
import type { RelayDeps } from '../../outbox/relay.ts';
import { type Config, createMetrics, type Metrics, silentLog, type Waker } from '../../platform/index.ts';
import type { ConsumerDeps } from '../../stream/index.ts';
import { connectKafka } from '../../stream/index.ts';
import { testConfig } from '../test-config.ts';
import type { Broker } from './broker.ts';
import type { LaneStores } from './lane-stores.ts';
import { createSteps, type LateCall, type Steps } from './steps.ts';
import { watchPool } from './watch-pool.ts';
import { watchRedis } from './watch-redis.ts';

export interface Member {
  readonly name: string;
  readonly steps: Steps;
  /** Placing orders, and with it pool, gate, log, waker and configuration. */
  readonly desk: PlaceOrderDeps;
  readonly provider: PaymentProvider;
  readonly gatekeeper: Gatekeeper;
  readonly jobs: JobDeps;
  readonly consumer: ConsumerDeps;
  readonly relay: RelayDeps;
  /** The Redis server restarts: every connection breaks, and all but the installer's come back. */
  sever(): void;
}

export const SECRET = 'test-payment-webhook-secret-0123456789';
const WAKER: Waker = { wake: () => undefined };
const PUBLIC_URL = 'http://shop.example';

/** What no history changes. */
export interface MemberParts {
  readonly config: Config;
  readonly metrics: Metrics;
}
export function createMemberParts({ databaseUrl, redisUrl }: LaneStores): MemberParts {
  const config = testConfig({
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    ORDER_COMMIT_WINDOW_MS: '0',
    KAFKA_PARTITIONS: '2',
  });
  return { config, metrics: createMetrics('test') };
}

export interface MemberWish {
  readonly name: string;
  readonly stores: LaneStores;
  readonly parts: MemberParts;
  readonly broker: Broker;
  readonly relayBatch: number;
  readonly onLate: (late: LateCall) => void;
}

export function startMember({ name, stores, parts, broker, relayBatch, onLate }: MemberWish): Member {
  const { config, metrics } = parts;
  const steps = createSteps(onLate);
  const pool = watchPool(stores.pool, steps.io);
  const requests = watchRedis(stores.redis, steps.io);
  const effects = watchRedis(stores.redis, steps.io);
  const installers: { sever(reopened: boolean): void }[] = [];
  const common = { pool, log: silentLog, metrics, waker: WAKER };
  const gate = createGate({ ...common, redis: requests.redis });
  const gatekeeper = createGatekeeper({
    ...common,
    databaseUrl: stores.databaseUrl,
    redis: effects.redis,
    holder: name,
    openInstallRedis: async () => {
      const installer = watchRedis(stores.redis, steps.io);
      installers.push(installer);
      return installer.redis;
    },
  });
  const demo = createDemoProvider({ pool, publicUrl: PUBLIC_URL, webhookSecret: SECRET });
  const letters = {
    ...common,
    letters: createLetterReports({ dltEnabled: true }),
    retry: { maxAttempts: 5, initialMs: 500, multiplier: 2, maxMs: 10_000 },
  };
  const stream = connectKafka(config.stores, silentLog, name);
  return {
    name,
    steps,
    gatekeeper,
    provider: demo,
    desk: createPlaceOrderDeps({ ...common, redis: requests.redis, gate, config }),
    jobs: {
      ...{ ...common, config, gate, stream, letters, provider: demo, demoProvider: demo, cleanUpPool: pool },
      wakeRelay: () => undefined,
      wakeGatekeeper: () => undefined,
    },
    consumer: { ...letters, stream, wake: WAKER.wake, onFatal: () => undefined },
    relay: { ...common, producer: broker.producer(steps.io), holder: name, batchSize: relayBatch },
    sever() {
      requests.sever(true);
      effects.sever(true);
      for (const installer of installers) installer.sever(false);
    },
  };
}

export { CONSUMERS };
