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
  type Log,
  openGateRedis,
  openInstallRedis,
  openRedis,
  type Pool,
  type Redis,
  silentLog,
} from '../platform/index.ts';
import { createTestDatabase } from './database.ts';
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
  close(): Promise<void>;
}

const PRICE_MINOR = 1999;

export async function openTestShop(
  name: string,
  env: Record<string, string> = {},
  more: Partial<OrderDeskParts> & { log?: Log } = {},
): Promise<TestShop> {
  const [database, server] = await Promise.all([createTestDatabase(name), startTestRedis()]);
  const config = testConfig({ ...env, DATABASE_URL: database.url, REDIS_URL: server.url });
  const log = more.log ?? silentLog;
  const metrics = createMetrics('test');
  const redis = openRedis(server.url, 'test');
  const requests = openGateRedis(server.url, 'requests', config.gate.GATE_COMMAND_TIMEOUT_MS);
  const effects = openGateRedis(server.url, 'gatekeeper', 2000);
  const pool = database.pool;
  const gate = createGate({ redis: requests, pool, log, metrics, waker: createWaker(redis) });
  const gatekeeper = createGatekeeper({
    pool,
    databaseUrl: database.url,
    redis: effects,
    holder: 'test',
    metrics,
    log,
    openInstallRedis: () => openInstallRedis(server.url),
  });
  const desk = createPlaceOrderDeps({
    pool,
    redis: requests,
    gate,
    config,
    log,
    metrics,
    waker: createWaker(redis),
    ...more,
  });

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
        lines: lines.map((line) => ({ shopId: 'S1', unitPriceMinor: PRICE_MINOR, ...line })),
        ...changes,
      }),
    async close() {
      await gatekeeper.stop();
      for (const connection of [redis, requests, effects]) connection.disconnect();
      await server.stop();
      await database.drop();
    },
  };
}

/** Catalogue and stock rows as a receipt makes them: movement first, then an INSTALL effect for the gate. */
async function putOnSale(pool: Pool, shopId: string, skuId: string, units: number): Promise<void> {
  await pool.query(
    `INSERT INTO tinystore_order.shop (id, name, currency) VALUES ($1, $1, 'EUR') ON CONFLICT DO NOTHING`,
    [shopId],
  );
  await pool.query(
    `INSERT INTO tinystore_order.product (id, shop_id, name, description, art) VALUES ($1, $2, $3, 'test', 'tee') ON CONFLICT DO NOTHING`,
    [`${shopId}.${skuId}`, shopId, skuId],
  );
  await pool.query(
    `INSERT INTO tinystore_order.sku (shop_id, id, product_id, name, price_minor) VALUES ($1, $2, $3, 'one', $4)`,
    [shopId, skuId, `${shopId}.${skuId}`, PRICE_MINOR],
  );
  await pool.query(
    'INSERT INTO tinystore_inventory.inventory_stock (shop_id, sku_id, total_quantity) VALUES ($1, $2, $3)',
    [shopId, skuId, units],
  );
  if (units > 0)
    await pool.query(
      `INSERT INTO tinystore_inventory.stock_movement (shop_id, sku_id, kind, quantity, operation_id, actor) VALUES ($1, $2, 'RECEIPT', $3, $4, 'test')`,
      [shopId, skuId, units, mint<'OperationId'>()],
    );
  await pool.query(`INSERT INTO tinystore_inventory.gate_effect (kind, shop_id, sku_id) VALUES ('INSTALL', $1, $2)`, [
    shopId,
    skuId,
  ]);
}
