import { mint } from '@holdfast/core/domain';
import { createDemoProvider, receiveNotice, refundOrder, startPayment } from '@holdfast/core/order';
import { silentLog } from '@holdfast/core/platform';
import {
  checkInvariants,
  openTestShop,
  PATIENT,
  type ProductProcess,
  startProcess,
  TEST_SECRETS,
  type TestShop,
  until,
  waitUntilQuiet,
} from '@holdfast/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signForTest } from './sign-for-test.testing.ts';

describe('orders through gate, outbox, Kafka and ledger, with a real worker', () => {
  let shop: TestShop;
  let worker: ProductProcess;
  /** Topics and groups of this test alone: the broker is shared with others. */
  let prefix: string;
  beforeEach(async () => {
    prefix = `chain-${mint<'prefix'>()}.`;
    shop = await openTestShop('chain', PATIENT);
    await shop.stock('hot', 100);
    // The worker has a gatekeeper of its own.
    await shop.gatekeeper.stop();
    worker = await startWorker();
  });
  afterEach(async () => {
    await worker.end('SIGTERM');
    await shop.close();
  });

  const startWorker = () =>
    startProcess('worker', {
      DATABASE_URL: shop.databaseUrl,
      REDIS_URL: shop.server.url,
      KAFKA_BROKERS: process.env.KAFKA_BROKERS ?? '',
      KAFKA_PREFIX: prefix,
    });
  const readStock = async () => {
    const { rows } = await shop.pool.query<{ total: number; reserved: number; confirmed: number }>(
      `SELECT total_quantity AS total, reserved_quantity AS reserved, confirmed_quantity AS confirmed
       FROM tinystore_inventory.inventory_stock WHERE sku_id = 'hot'`,
    );
    return rows[0];
  };
  const buy = (count: number) =>
    Promise.all(Array.from({ length: count }, () => shop.order([{ skuId: 'hot', quantity: 1 }])));
  const placedIds = (results: Awaited<ReturnType<typeof buy>>) =>
    results.flatMap((r) => (r.kind === 'placed' ? [r.tradeId] : []));
  /** Both books equal and every invariant true, once everything has run out. */
  const expectSound = async (acknowledged: string[]) => {
    await waitUntilQuiet({ pool: shop.pool });
    expect(await checkInvariants({ pool: shop.pool, redisUrl: shop.server.url, acknowledged })).toEqual([]);
  };
  const pay = async (tradeId: string) => {
    const { rows } = await shop.pool.query<{ buyer_id: string }>(
      'SELECT buyer_id FROM tinystore_order.trade WHERE id = $1',
      [tradeId],
    );
    const webhookSecret = TEST_SECRETS.PAYMENT_WEBHOOK_SECRET;
    const deps = {
      pool: shop.pool,
      log: silentLog,
      waker: shop.desk.waker,
      webhookSecrets: [webhookSecret],
      provider: createDemoProvider({ pool: shop.pool, publicUrl: 'http://localhost', webhookSecret }),
    };
    const started = await startPayment(deps, { tradeId, buyerId: rows[0]?.buyer_id ?? '' });
    if (started.kind !== 'started') throw new Error(`payment refused: ${started.code}`);
    const notice = signForTest(started, webhookSecret);
    expect(await receiveNotice(deps, notice)).toMatchObject({ kind: 'stored', verdict: 'PAID' });
  };

  it('200 buyers at once for 100 units: 100 orders in both books, 100 told what is left', async () => {
    const results = await buy(200);
    const placed = placedIds(results);
    expect(placed).toHaveLength(100);
    expect(
      results.filter((r) => r.kind === 'refused' && r.code === 'SOLD_OUT' && r.lines?.[0]?.left === 0),
    ).toHaveLength(100);
    await expectSound(placed);
    expect(await readStock()).toEqual({ total: 100, reserved: 100, confirmed: 0 });
    await Promise.all(placed.slice(0, 40).map(pay));
    await expectSound(placed);
    expect(await readStock()).toEqual({ total: 60, reserved: 60, confirmed: 40 });
    const [reading] = await shop.gate.read([{ shopId: 'S1', skuId: 'hot' }]);
    expect(reading).toMatchObject({ total: 100, deducted: 100, holdCount: 60 });
  });

  for (const data of ['kept', 'empty'] as const)
    it(`C43 Redis killed in the middle of 200 orders and restarted with its data ${data}: no oversell, every invariant true`, async () => {
      const before = buy(60);
      await until(
        'some orders are in',
        async () => (await shop.pool.query('SELECT 1 FROM tinystore_order.trade LIMIT 5')).rowCount === 5,
      );
      await shop.server.kill();
      const during = buy(80);
      await shop.server.start(data);
      const placed = placedIds([...(await before), ...(await during), ...(await buy(60))]);
      expect(placed.length).toBeLessThanOrEqual(100);
      await until(
        'the gate is open',
        async () => (await shop.gate.read([{ shopId: 'S1', skuId: 'hot' }]))[0]?.kind === 'read',
      );
      placed.push(...placedIds(await buy(100 - placed.length)));
      await expectSound(placed);
      expect(placed).toHaveLength(100);
      expect(await readStock()).toEqual({ total: 100, reserved: 100, confirmed: 0 });
    });

  it('C38 a worker killed in the middle of its work and started again records every order once', async () => {
    const placed = placedIds(await buy(50));
    await worker.end('SIGKILL');
    placed.push(...placedIds(await buy(50)));
    worker = await startWorker();
    await expectSound(placed);
    expect(await readStock()).toEqual({ total: 100, reserved: 100, confirmed: 0 });
  });

  it('P31 – paid orders that are refunded with restock: the money is back, the units are on sale at the gate', async () => {
    const placed = placedIds(await buy(20));
    await expectSound(placed);
    const paid = placed.slice(0, 10);
    await Promise.all(paid.map(pay));
    await expectSound(placed);
    // The provider's own books know of the money as well.
    await shop.pool.query(
      `INSERT INTO demo_provider.charge (charge_ref, intent_ref, attempt, status, amount_minor, currency)
       SELECT 'ch_' || intent_ref, intent_ref, 1, 'SUCCEEDED', amount_minor, currency FROM demo_provider.intent`,
    );
    const by = { name: 'ada', reason: 'sent back' };
    const deps = { pool: shop.pool, log: silentLog, waker: shop.desk.waker };
    for (const tradeId of paid)
      await refundOrder(deps, { tradeId, by, idempotencyKey: mint(), wish: { kind: 'rest', units: 'RESTOCK' } });
    await expectSound(placed);
    expect(await readStock()).toEqual({ total: 100, reserved: 10, confirmed: 10 });
    const [reading] = await shop.gate.read([{ shopId: 'S1', skuId: 'hot' }]);
    expect(reading).toMatchObject({ total: 110, deducted: 20, holdCount: 10 });
    const { rows } = await shop.pool.query(
      'SELECT status, count(*) AS n FROM tinystore_order.trade GROUP BY 1 ORDER BY 1',
    );
    expect(rows).toEqual([
      { status: 'REFUNDED', n: 10 },
      { status: 'UNPAID', n: 10 },
    ]);
  });

  it('SIGTERM lets the worker finish and exit with 0', async () => {
    const placed = placedIds(await buy(20));
    expect(await worker.end('SIGTERM')).toBe(0);
    worker = await startWorker();
    await expectSound(placed);
  });
});
