/** Processes of the product in one history, wired as apps/web and apps/worker wire theirs, each with steps of its own. */
import { CONSUMERS } from '../../../../../apps/worker/consumers/register.ts';
import type { JobDeps } from '../../../../../apps/worker/jobs/job.ts';
import { createGate, createGatekeeper, type Gatekeeper } from '../../gate/index.ts';
import { createLetterReports } from '../../ops/console/index.ts';
import {
  createDemoProvider,
  createPlaceOrderDeps,
  type PaymentProvider,
  type PlaceOrderDeps,
} from '../../order/index.ts';
import type { RelayDeps } from '../../outbox/relay.ts';
import { type Config, createMetrics, type Log, type Metrics, silentLog, type Waker } from '../../platform/index.ts';
import type { ConsumerDeps } from '../../stream/index.ts';
import { connectKafka } from '../../stream/index.ts';
import { type Io, NoReply, watchProvider } from '../io/index.ts';
import { testConfig } from '../test-config.ts';
import type { Broker } from './broker.ts';
import type { LaneStores } from './lane-stores.ts';
import { ConnectionLost, createSteps, type LateCall, type Steps } from './steps.ts';
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
  cutOff(): void;
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
  /** What the process logs as a warning or worse. */
  readonly onLog: (words: string) => void;
}

export function startMember({ name, stores, parts, broker, relayBatch, onLate, onLog }: MemberWish): Member {
  const { config, metrics } = parts;
  const steps = createSteps(onLate);
  const database = watchPool(stores.pool, steps.io);
  const { pool } = database;
  const requests = watchRedis(stores.redis, steps.io);
  const effects = watchRedis(stores.redis, steps.io);
  const installers: { sever(reopened: boolean): void }[] = [];
  const common = { pool, log: logTo(onLog), metrics, waker: WAKER };
  const gate = createGate({ ...common, redis: requests.redis });
  const gatekeeper = createGatekeeper({
    ...common,
    openSession: database.openSession,
    redis: effects.redis,
    holder: name,
    openInstallRedis: async () => {
      const installer = watchRedis(stores.redis, steps.io);
      installers.push(installer);
      return installer.redis;
    },
  });
  // Its books are its own: only the calls to it are steps.
  const demo = createDemoProvider({ pool: stores.pool, publicUrl: PUBLIC_URL, webhookSecret: SECRET });
  const provider = watchProvider(demo, asProvider(steps.io));
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
    provider,
    desk: createPlaceOrderDeps({ ...common, redis: requests.redis, gate, config }),
    jobs: {
      ...{ ...common, config, gate, stream, letters, provider, demoProvider: demo, cleanUpPool: pool },
      wakeRelay: () => undefined,
      wakeGatekeeper: () => undefined,
    },
    consumer: { ...letters, stream, wake: WAKER.wake, onFatal: () => undefined },
    relay: { ...common, producer: broker.producer(steps.io), holder: name, batchSize: relayBatch },
    cutOff: database.cutOff,
    sever() {
      requests.sever(true);
      effects.sever(true);
      for (const installer of installers) installer.sever(false);
    },
  };
}

function logTo(onLog: (words: string) => void): Log {
  const tell = (level: string) => (fields: unknown, words?: string) =>
    onLog(
      `${level} ${words ?? ''} ${JSON.stringify(fields, (_, value) => (value instanceof Error ? String(value) : value))}`,
    );
  return new Proxy(silentLog, {
    get: (target, name) => (name === 'warn' || name === 'error' ? tell(name) : Reflect.get(target, name)),
  });
}

/** The provider's client says "unknown" where another loses its connection. */
const asProvider =
  (io: Io): Io =>
  (call, run) =>
    io(call, run).catch((error: unknown) => {
      throw error instanceof ConnectionLost ? new NoReply() : error;
    });

export { CONSUMERS };
