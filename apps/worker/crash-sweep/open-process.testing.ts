/**
 * One process of the product over real servers, each of its calls a numbered step: what apps/web and apps/worker wire
 * by hand, on the connections of a test shop. It ends when its `Io` says so.
 */
import { once } from 'node:events';
import { createGate, createGatekeeper, type Gate, type Gatekeeper } from '@holdfast/core/gate';
import {
  createDemoProvider,
  createPlaceOrderDeps,
  type PaymentProvider,
  type PlaceOrderDeps,
} from '@holdfast/core/order';
import {
  createMetrics,
  openGateRedis,
  openInstallRedis,
  openSession,
  type Pool,
  silentLog,
  type Waker,
} from '@holdfast/core/platform';
import {
  type Io,
  TEST_SECRETS,
  type TestShop,
  watchPool,
  watchProvider,
  watchRedis,
  watchRedisOpener,
  watchSessions,
} from '@holdfast/core/testing';
import type { JobDeps } from '../jobs/job.ts';
import type { SweepStream } from './sweep-stream.testing.ts';

export interface ProductProcess {
  readonly pool: Pool;
  readonly gate: Gate;
  readonly gatekeeper: Gatekeeper;
  readonly desk: PlaceOrderDeps;
  readonly provider: PaymentProvider;
  readonly jobs: JobDeps;
  /** For whatever changes trades, payments included. */
  readonly trades: {
    readonly pool: Pool;
    readonly log: typeof silentLog;
    readonly waker: Waker;
    readonly provider: PaymentProvider;
    readonly webhookSecrets: readonly string[];
  };
  close(): void;
}

/** A wake-up is a hint that may be lost (P35); here all of them are. */
const waker: Waker = { wake: () => undefined };
/** Nobody listens there: its notices are handed over by the test. */
const NOWHERE = 'http://127.0.0.1:9';
const webhookSecret = TEST_SECRETS.PAYMENT_WEBHOOK_SECRET;
let processes = 0;

export const demoProvider = (pool: Pool) => createDemoProvider({ pool, publicUrl: NOWHERE, webhookSecret });

export async function openProcess(shop: TestShop, stream: SweepStream, io: Io): Promise<ProductProcess> {
  const { config, databaseUrl, server } = shop;
  const open = (name: string) => openGateRedis(server.url, name, config.gate.GATE_COMMAND_TIMEOUT_MS);
  const connections = [open('requests'), open('effects')] as const;
  await Promise.all(connections.map((redis) => once(redis, 'ready')));
  const [requests, effects] = connections.map((redis) => watchRedis(redis, io));
  if (!requests || !effects) throw new Error('two connections');
  const pool = watchPool(shop.pool, io);
  const common = { pool, log: silentLog, metrics: createMetrics('sweep'), waker };
  const gate = createGate({ ...common, redis: requests });
  const provider = watchProvider(demoProvider(shop.pool), io);
  const gatekeeper = createGatekeeper({
    ...common,
    redis: effects,
    holder: `process ${++processes}`,
    openSession: watchSessions(() => openSession(databaseUrl, 'sweep gatekeeper'), io),
    openInstallRedis: watchRedisOpener(() => openInstallRedis(server.url), io),
  });
  return {
    ...{ pool, gate, gatekeeper, provider },
    desk: createPlaceOrderDeps({ ...common, redis: requests, gate, config }),
    trades: { pool, log: silentLog, waker, provider, webhookSecrets: [webhookSecret] },
    jobs: {
      ...{ ...common, config, cleanUpPool: pool, gate, provider, demoProvider: undefined },
      ...{ letters: { ...stream.letters, pool }, stream: stream.stream },
      wakeRelay: () => undefined,
      wakeGatekeeper: () => undefined,
    },
    close: () => connections.map((redis) => redis.disconnect()),
  };
}
