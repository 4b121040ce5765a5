/** A worker killed at each of these points in turn, with orders and cancels coming in. Registers the test. */
import { mint } from '@holdfast/core/domain';
import { cancelOrder } from '@holdfast/core/order';
import { type StopPoint, silentLog } from '@holdfast/core/platform';
import {
  checkInvariants,
  openTestShop,
  PATIENT,
  type ProductProcess,
  startProcess,
  type TestShop,
  until,
  waitUntilQuiet,
} from '@holdfast/core/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';

export function testStopPoints(points: readonly StopPoint[], brokers: string | undefined): void {
  let shop: TestShop;
  let worker: ProductProcess | undefined;
  let prefix: string;
  beforeEach(async () => {
    prefix = `stops-${mint<'prefix'>()}.`;
    shop = await openTestShop('stops', PATIENT);
    await shop.stock('hot', 200);
    await shop.gatekeeper.stop();
  });
  afterEach(async () => {
    await worker?.end('SIGTERM');
    await shop.close();
  });

  const startWorker = (stopAt?: string) =>
    startProcess('worker', {
      DATABASE_URL: shop.databaseUrl,
      REDIS_URL: shop.server.url,
      KAFKA_BROKERS: brokers ?? '',
      KAFKA_PREFIX: prefix,
      ...(stopAt && { HOLDFAST_STOP_AT: stopAt }),
    });

  test(`C38 C11 – A worker killed ${points.join(', ')} in turn loses nothing and repeats nothing`, async () => {
    const placed: string[] = [];
    let cancelled = 0;
    for (const point of points) {
      // A worker that dies before it is ready has reached its point already, by what the one before it left.
      worker = await startWorker(`${point}:kill`).catch(() => undefined);
      for (let n = 0; n < 8; n++) {
        const buyerId = mint<'BuyerId'>();
        const order = await shop.order([{ skuId: 'hot', quantity: 1 }], { buyerId });
        if (order.kind !== 'placed') continue;
        placed.push(order.tradeId);
        if (n % 3 !== 0) continue;
        const by = { kind: 'buyer' as const, buyerId };
        await cancelOrder({ pool: shop.pool, log: silentLog, waker: shop.desk.waker }, { tradeId: order.tradeId, by });
        cancelled++;
      }
      const dying = worker;
      if (dying)
        expect(await until(`the worker dies ${point}`, () => dying.ended() ?? undefined, 40_000)).toBe('SIGKILL');
    }
    worker = await startWorker();
    await waitUntilQuiet({ pool: shop.pool });
    expect(placed.length).toBeGreaterThan(4 * points.length);
    expect(await checkInvariants({ pool: shop.pool, redisUrl: shop.server.url, acknowledged: placed })).toEqual([]);
    const { rows } = await shop.pool.query<{ status: string; n: number }>(
      'SELECT status, count(*)::integer AS n FROM tinystore_inventory.inventory_reservation GROUP BY 1 ORDER BY 1',
    );
    expect(rows).toEqual([
      { status: 'PRE_DEDUCTED', n: placed.length - cancelled },
      { status: 'RELEASED', n: cancelled },
    ]);
    const { rows: letters } = await shop.pool.query('SELECT 1 FROM tinystore_inventory.dead_letter');
    expect(letters).toEqual([]);
  }, 240_000);
}
