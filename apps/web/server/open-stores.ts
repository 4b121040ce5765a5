/** Opens what the web process needs and hands it over as one value; closing is the reverse. */
import { createGate, type Gate } from '@holdfast/core/gate';
import {
  createPlaceOrderDeps,
  createProvider,
  type DemoProvider,
  type ExtendPaymentDeps,
  type PlaceOrderDeps,
  type ReceiveNoticeDeps,
  type StartPaymentDeps,
} from '@holdfast/core/order';
import {
  assertRedisFits,
  type Config,
  createPool,
  createPrisma,
  createWaker,
  type Log,
  type Metrics,
  openGateRedis,
  openRedis,
  type Pool,
  type PrismaClient,
  stopPoint,
} from '@holdfast/core/platform';
import type { ReconcileDeps } from '@holdfast/core/reconcile';
import type { StockDeps } from '@holdfast/core/stock';
import { type Auth, createAuth, openAuthPool } from './auth/create-auth.ts';

export interface WebDeps {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly hotPool: Pool;
  readonly readPool: Pool;
  readonly prisma: PrismaClient;
  readonly gate: Gate;
  readonly desk: PlaceOrderDeps;
  readonly payments: StartPaymentDeps & ReceiveNoticeDeps & ExtendPaymentDeps;
  /** For the console: gate beside ledger, and a run by hand. */
  readonly books: ReconcileDeps;
  /** Changes of stock by operators. */
  readonly stock: StockDeps;
  /** Only in the profiles demo and test. */
  readonly demoProvider: DemoProvider | undefined;
  readonly auth: Auth;
  readonly publicOrigin: string;
  readonly https: boolean;
  readonly dev: boolean;
}

interface Parts {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly dev: boolean;
}

export async function openStores({
  config,
  log,
  metrics,
  dev,
}: Parts): Promise<{ deps: WebDeps; close(): Promise<void> }> {
  const { stores, gate: limits, process: about, secrets } = config;
  const url = stores.DATABASE_URL;
  const hotPool = createPool({ url, name: 'holdfast-web', max: stores.DATABASE_HOT_CONNECTIONS });
  const readPool = createPool({ url, name: 'holdfast-web-read', max: stores.DATABASE_READ_CONNECTIONS });
  const authPool = openAuthPool(url);
  const gateRedis = openGateRedis(stores.REDIS_URL, 'holdfast-web-gate', limits.GATE_COMMAND_TIMEOUT_MS);
  const plainRedis = openRedis(stores.REDIS_URL, 'holdfast-web-wake');
  await assertRedisFits(plainRedis);

  const waker = createWaker(plainRedis);
  const common = { pool: hotPool, log, metrics, waker };
  const gate = createGate({ ...common, redis: gateRedis });
  const { provider, demoProvider } = createProvider(config, hotPool);
  const webhookSecrets = [secrets.PAYMENT_WEBHOOK_SECRET, secrets.PAYMENT_WEBHOOK_SECRET_PREVIOUS].filter(
    (secret) => secret !== undefined,
  );
  const publicOrigin = new URL(about.PUBLIC_URL).origin;
  const stopAt = stopPoint(about.HOLDFAST_PROFILE, about.HOLDFAST_STOP_AT);
  const deps: WebDeps = {
    config,
    log,
    metrics,
    hotPool,
    readPool,
    gate,
    publicOrigin,
    dev,
    prisma: createPrisma(readPool),
    desk: createPlaceOrderDeps({ ...common, redis: gateRedis, gate, config, ...(stopAt && { stopAt }) }),
    payments: {
      ...{ pool: hotPool, waker, log, provider, webhookSecrets },
      extensionSeconds: config.order.ORDER_PAYMENT_EXTENSION_SECONDS,
    },
    stock: { ...common, gate, limitMs: config.order.ORDER_REQUEST_LIMIT_MS, ...(stopAt && { stopAt }) },
    books: { pool: readPool, gate, proofAgeMs: limits.INVENTORY_UNCOMMIT_CLEANUP_PROOF_AGE, log, metrics, waker },
    demoProvider,
    auth: createAuth(authPool, config),
    https: publicOrigin.startsWith('https:'),
  };
  return {
    deps,
    async close() {
      for (const redis of [gateRedis, plainRedis]) redis.disconnect();
      await Promise.all([hotPool.end(), readPool.end(), authPool.end()]);
    },
  };
}
