import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createMetrics,
  createWaker,
  openGateRedis,
  openInstallRedis,
  openSession,
  type Redis,
  silentLog,
} from '../platform/index.ts';
import { type FaultProxy, openFaultProxy } from '../testing/fault-proxy.ts';
import { startTestRedis, type TestRedis } from '../testing/redis-server.ts';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';
import { until } from '../testing/until.ts';
import { createGate, createGatekeeper, type Gatekeeper, readEpoch } from './index.ts';

const sku = { shopId: 'S1', skuId: 'hot' };
const portOf = (server: TestRedis) => Number(new URL(server.url).port);

describe('P21 the address of Redis moves to another server while old connections live on', () => {
  let shop: TestShop;
  let other: TestRedis;
  let address: FaultProxy;
  let gatekeeper: Gatekeeper;
  let connections: Redis[];
  beforeEach(async () => {
    [shop, other] = await Promise.all([openTestShop('failover'), startTestRedis()]);
    await shop.stock('hot', 10);
    await shop.gatekeeper.stop();
    address = await openFaultProxy(portOf(shop.server));
    const url = `redis://127.0.0.1:${address.port}`;
    connections = [openGateRedis(url, 'web', 2000), openGateRedis(url, 'gatekeeper', 2000)];
    const common = { pool: shop.pool, log: silentLog, metrics: createMetrics('test'), waker: createWaker(shop.redis) };
    gatekeeper = createGatekeeper({
      ...common,
      openSession: () => openSession(shop.databaseUrl, 'test gatekeeper'),
      redis: connections[1] as Redis,
      holder: 'moved',
      openInstallRedis: () => openInstallRedis(url),
    });
    gate = createGate({ ...common, redis: connections[0] as Redis });
    await until('the gate is read through the address', async () => (await gate.read([sku]))[0]?.kind === 'read');
  });
  afterEach(async () => {
    await gatekeeper.stop();
    for (const connection of connections) connection.disconnect();
    address.close();
    await other.stop();
    await shop.close();
  });
  let gate: ReturnType<typeof createGate>;

  for (const role of ['still a primary', 'demoted'] as const)
    it(`and the old server is ${role}: one rebuild on the new one, then all is quiet`, async () => {
      await gatekeeper.runOnce();
      const before = (await readEpoch(shop.pool)).epoch;
      address.lead(portOf(other));
      if (role === 'demoted') await shop.redis.replicaof('127.0.0.1', portOf(other));
      // The web process notices by a connection of its own that is new; the gatekeeper's stays the old one.
      else connections[0]?.disconnect(true);
      gatekeeper.start();
      await until('the gate is open on the new server', async () => {
        await gate.refresh();
        const [found] = await gate.read([sku]);
        return found?.kind === 'read' && found.epoch > before;
      });
      const { epoch } = await readEpoch(shop.pool);
      await shop.pool.query(
        `INSERT INTO tinystore_inventory.gate_effect (kind, shop_id, sku_id) VALUES ('RAISE', 'S1', 'hot')`,
      );
      await until('effects reach the new server', async () => {
        const { rowCount } = await shop.pool.query(
          `SELECT 1 FROM tinystore_inventory.gate_effect WHERE status = 'PENDING'`,
        );
        return rowCount === 0;
      });
      for (let look = 0; look < 3; look++) await gatekeeper.runOnce();
      expect((await readEpoch(shop.pool)).epoch).toBe(epoch);
      expect(epoch - before).toBeLessThanOrEqual(2);
    });
});
