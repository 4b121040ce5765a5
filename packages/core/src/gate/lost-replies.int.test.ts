import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mint } from '../domain/index.ts';
import { cancelOrder } from '../order/cancel-order.ts';
import { createPlaceOrderDeps, type PlaceOrderDeps, placeOrder } from '../order/index.ts';
import {
  createMetrics,
  openGateRedis,
  openInstallRedis,
  openSession,
  type Redis,
  silentLog,
} from '../platform/index.ts';
import { openTestBooks, type TestBooks } from '../reconcile/books.testing.ts';
import { sweepGhostHolds } from '../reconcile/index.ts';
import { type FaultProxy, openFaultProxy } from '../testing/fault-proxy.ts';
import { checkInvariants } from '../testing/invariants.ts';
import { TEST_PRICE_MINOR } from '../testing/put-on-sale.ts';
import { createGate, createGatekeeper, type Gatekeeper } from './index.ts';

/** Past the proof age of a hold, long before the time to pay is over. */
const SWEEP_AFTER_MS = 120_000;
const GATE_LIMIT_MS = 5000;

describe('C10 – A lost gate reply never takes stock twice', () => {
  let books: TestBooks;
  let proxy: FaultProxy;
  let connections: Redis[];
  /** Both reach Redis through the proxy. */
  let desk: PlaceOrderDeps;
  let gatekeeper: Gatekeeper;
  beforeEach(async () => {
    books = await openTestBooks('lost_replies');
    proxy = await openFaultProxy(Number(new URL(books.server.url).port));
    const url = proxy.before(books.server.url);
    const requests = openGateRedis(url, 'lossy requests', GATE_LIMIT_MS);
    const effects = openGateRedis(url, 'lossy effects', GATE_LIMIT_MS);
    connections = [requests, effects];
    const common = { pool: books.pool, log: silentLog, metrics: createMetrics('lossy'), waker: books.desk.waker };
    const gate = createGate({ ...common, redis: requests });
    desk = createPlaceOrderDeps({ ...books.desk, redis: requests, gate });
    gatekeeper = createGatekeeper({
      ...common,
      openSession: () => openSession(books.databaseUrl, 'test gatekeeper'),
      redis: effects,
      holder: 'lossy',
      openInstallRedis: () => openInstallRedis(url),
    });
    await Promise.all(connections.map((redis) => new Promise((resolve) => redis.once('ready', resolve))));
  });
  afterEach(async () => {
    const broken = await checkInvariants({ pool: books.pool, gate: books.gate });
    await gatekeeper.stop();
    for (const redis of connections) redis.disconnect();
    proxy.close();
    await books.close();
    expect(broken).toEqual([]);
  });

  const stock = async (units: number) => {
    await books.stock('K1', units);
  };
  const order = (same = { key: mint<'key'>(), buyerId: mint<'BuyerId'>() }) =>
    placeOrder(desk, {
      ...same,
      traceId: 'test',
      lines: [{ shopId: 'S1', skuId: 'K1', quantity: 1, unitPriceMinor: TEST_PRICE_MINOR }],
    });
  const orders = async () => (await books.pool.query('SELECT id FROM tinystore_order.trade')).rows.length;
  const cleanUp = async () => {
    await books.settle();
    await books.ahead(SWEEP_AFTER_MS);
    await sweepGhostHolds(books.sweep);
    await books.settle();
  };
  const loseReply = () => proxy.set({ kind: 'cut-after-delivery', match: 'inventory:deducted:{S1}:K1', times: 1 });

  test('the reply to a take, then the reply to its release', async () => {
    await stock(10);
    loseReply();
    const same = { key: mint<'key'>(), buyerId: mint<'BuyerId'>() };
    await order(same);
    expect(proxy.struck()).toBe(1);
    const again = await order(same);
    if (again.kind !== 'placed') throw new Error(`the repeat was refused: ${again.code}`);
    expect(await orders()).toBe(1);
    await cleanUp();
    expect(await books.look('K1')).toMatchObject({ total: 10, deducted: 1, holds: [expect.any(String)] });

    const by = { kind: 'buyer', buyerId: same.buyerId } as const;
    expect(await cancelOrder({ ...desk }, { tradeId: again.tradeId, by })).toEqual({ kind: 'closed' });
    await books.deliver();
    loseReply();
    await books.gatekeeper.stop();
    await gatekeeper.runOnce().catch(() => undefined);
    await gatekeeper.stop();
    expect(proxy.struck()).toBe(1);
    expect(await books.look('K1')).toEqual({ total: 10, deducted: 0, holds: [] });
    await cleanUp();
    expect(await books.look('K1')).toEqual({ total: 10, deducted: 0, holds: [] });
  });

  test('200 orders while every connection to Redis is killed over and over', async () => {
    await stock(500);
    let killing = true;
    const killer = (async () => {
      for (let n = 0; killing && n < 10_000; n++)
        await books.redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    })();
    const results = [];
    for (let n = 0; n < 200; n += 20)
      results.push(...(await Promise.all(Array.from({ length: 20 }, () => order().catch(() => undefined)))));
    killing = false;
    await killer;
    await cleanUp();
    const living = await orders();
    expect(living).toBeGreaterThanOrEqual(results.filter((result) => result?.kind === 'placed').length);
    expect(living).toBeLessThanOrEqual(200);
    const { deducted, holds } = await books.look('K1');
    expect([deducted, holds.length]).toEqual([living, living]);
  }, 180_000);
});
