/**
 * A whole order desk for an integration test: own database, own redis-server, gate, gatekeeper and place-order, wired as
 * apps/web and apps/worker wire them. Nothing in it is a stand-in.
 */
import { mint } from '../domain/index.ts';
import { createGate, createGatekeeper, type Gate, type Gatekeeper } from '../gate/index.ts';
import {
  createPlaceOrderDeps,
  type OrderDeskParts,
  type PlaceOrderCommand,
  type PlaceOrderDeps,
  type PlaceOrderResult,
  placeOrder,
} from '../order/index.ts';
import {
  type Config,
  createMetrics,
  createWaker,
  openGateRedis,
  openInstallRedis,
  openRedis,
  openSession,
  type Pool,
  type Redis,
  silentLog,
} from '../platform/index.ts';
import { closeChecked } from './close-checked.ts';
import { createTestDatabase } from './database.ts';
import { putOnSale, TEST_PRICE_MINOR } from './put-on-sale.ts';
import { startTestRedis, type TestRedis } from './redis-server.ts';
import { testConfig } from './test-config.ts';

export interface TestShop {
  readonly pool: Pool;
  readonly databaseUrl: string;
  readonly server: TestRedis;
  /** A plain connection for looking and planting. */
  readonly redis: Redis;
  readonly gate: Gate;
  readonly gatekeeper: Gatekeeper;
  readonly desk: PlaceOrderDeps;
  readonly config: Config;
  /** Puts a SKU of shop S1 (or another) on sale at 19.99 EUR with this many units, installed at the gate. */
  stock(skuId: string, units: number, shopId?: string): Promise<void>;
  /** Orders for a new buyer with a new key unless told otherwise. */
  order(
    lines: readonly { skuId: string; quantity: number; shopId?: string }[],
    more?: Partial<PlaceOrderCommand>,
  ): Promise<PlaceOrderResult>;
  /**
   * Lets every event under way end, then fails when an invariant that the database can tell is broken.
   * `mayBreak`: for a test that plants damage; nothing is checked.
   */
  close(options?: { readonly mayBreak?: boolean }): Promise<void>;
}

export async function openTestShop(
  name: string,
  env: Record<string, string> = {},
  { timeZone, ...more }: Partial<OrderDeskParts> & { readonly timeZone?: string } = {},
): Promise<TestShop> {
  const [database, server] = await Promise.all([createTestDatabase(name, timeZone), startTestRedis()]);
  const config = testConfig({ ...env, DATABASE_URL: database.url, REDIS_URL: server.url });
  const pool = database.pool;
  const redis = openRedis(server.url, 'test');
  const requests = openGateRedis(server.url, 'requests', config.gate.GATE_COMMAND_TIMEOUT_MS);
  const effects = openGateRedis(server.url, 'gatekeeper', 2000);
  const common = { pool, log: more.log ?? silentLog, metrics: createMetrics('test'), waker: createWaker(redis) };
  const gate = createGate({ ...common, redis: requests });
  const gatekeeper = createGatekeeper({
    ...common,
    openSession: () => openSession(database.url, 'test gatekeeper'),
    redis: effects,
    holder: 'test',
    openInstallRedis: () => openInstallRedis(server.url),
  });
  const desk = createPlaceOrderDeps({ ...common, redis: requests, gate, config, ...more });

  return {
    pool,
    databaseUrl: database.url,
    server,
    redis,
    gate,
    gatekeeper,
    desk,
    config,
    async stock(skuId, units, shopId = 'S1') {
      await putOnSale(pool, shopId, skuId, units);
      await gatekeeper.runOnce();
    },
    order: (lines, changes = {}) =>
      placeOrder(desk, {
        key: mint<'key'>(),
        buyerId: mint<'BuyerId'>(),
        traceId: 'test',
        lines: lines.map((line) => ({ shopId: 'S1', unitPriceMinor: TEST_PRICE_MINOR, ...line })),
        ...changes,
      }),
    async close({ mayBreak = false } = {}) {
      await gatekeeper.stop();
      for (const connection of [redis, requests, effects]) connection.disconnect();
      await server.stop();
      await closeChecked(database, mayBreak);
    },
  };
}
