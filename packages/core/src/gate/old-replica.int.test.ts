import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mint } from '../domain/index.ts';
import { gateHealth } from '../ops/console/index.ts';
import { createPlaceOrderDeps, placeOrder } from '../order/index.ts';
import {
  createMetrics,
  openGateRedis,
  openInstallRedis,
  openSession,
  type Redis,
  silentLog,
} from '../platform/index.ts';
import { openTestBooks, type TestBooks } from '../reconcile/books.testing.ts';
import { checkShop } from '../testing/check-shop.ts';
import { type FaultProxy, openFaultProxy } from '../testing/fault-proxy.ts';
import { startTestRedis, type TestRedis } from '../testing/redis-server.ts';
import { until } from '../testing/until.ts';
import { createGate, createGatekeeper, type Gate, type Gatekeeper } from './index.ts';

const portOf = (server: TestRedis) => Number(new URL(server.url).port);
const sku = { shopId: 'S1', skuId: 'K1' };

describe('C09 a replica that has missed 20 orders is promoted', () => {
  let books: TestBooks;
  let replica: TestRedis;
  let [link, address]: FaultProxy[] = [];
  let connections: Redis[];
  let gate: Gate;
  let gatekeeper: Gatekeeper;
  beforeEach(async () => {
    [books, replica] = await Promise.all([openTestBooks('old_replica'), startTestRedis()]);
    await books.stock('K1', 30);
    await books.gatekeeper.stop();
    link = await openFaultProxy(portOf(books.server));
    address = await openFaultProxy(portOf(books.server));
    const url = address.before(books.server.url);
    connections = [
      openGateRedis(url, 'web', 2000),
      openGateRedis(url, 'gatekeeper', 2000),
      openGateRedis(replica.url, 'admin', 2000),
    ];
    const common = { pool: books.pool, log: silentLog, metrics: createMetrics('moved'), waker: books.desk.waker };
    gate = createGate({ ...common, redis: connections[0] as Redis });
    gatekeeper = createGatekeeper({
      ...common,
      redis: connections[1] as Redis,
      holder: 'moved',
      openSession: () => openSession(books.databaseUrl, 'test gatekeeper'),
      openInstallRedis: () => openInstallRedis(url),
    });
  });
  afterEach(async () => {
    await gatekeeper.stop();
    for (const connection of connections) connection.disconnect();
    link?.close();
    address?.close();
    await replica.stop();
    await books.close();
  });

  it('and sells the ten units that are left, not thirty; the console tells that the gate began anew, and why', async () => {
    const admin = connections[2] as Redis;
    const shop = {
      ...books,
      gate,
      gatekeeper,
      desk: createPlaceOrderDeps({ ...books.desk, redis: connections[0] as Redis, gate }),
    };
    const order = async (count: number) => {
      const line = { ...sku, quantity: 1, unitPriceMinor: 1999 };
      const results = await Promise.all(
        Array.from({ length: count }, () =>
          placeOrder(shop.desk, { key: mint<'key'>(), buyerId: mint<'BuyerId'>(), traceId: 'test', lines: [line] }),
        ),
      );
      return results.filter((result) => result.kind === 'placed').length;
    };
    await until('the replica has the stock', async () => {
      if (admin.status !== 'ready') return false;
      await admin.replicaof('127.0.0.1', link?.port ?? 0);
      return (await admin.get('inventory:total:{S1}:K1').catch(() => null)) === '30';
    });
    link?.set({ kind: 'black-hole' });
    // The first replica of a server gives it another replication id: the gate begins anew once.
    await until('the gate is read', async () => {
      await gatekeeper.runOnce();
      return (await gate.read([sku]))[0]?.kind === 'read';
    });
    expect(await order(20)).toBe(20);
    expect(await admin.get('inventory:deducted:{S1}:K1')).toBe('0');

    await books.server.kill();
    await admin.replicaof('NO', 'ONE');
    address?.lead(portOf(replica));
    gatekeeper.start();
    const placed = await order(30);
    await until('the gate is open on the promoted server', async () => {
      await gate.refresh();
      const [found] = await gate.read([sku]);
      return found?.kind === 'read' && found.deducted === 20 + placed;
    });
    expect(placed + (await order(30))).toBe(10);
    expect(await checkShop(shop)).toEqual([]);
    expect(await gateHealth(books.pool)).toMatchObject({
      open: true,
      rebuiltBy: 'gatekeeper',
      rebuiltBecause: expect.stringMatching(/server/i),
    });
  });
});
