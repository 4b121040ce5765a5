import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mint } from '../../domain/index.ts';
import { silentLog } from '../../platform/index.ts';
import { checkShop } from '../../testing/check-shop.ts';
import { deliverEvents } from '../../testing/deliver-events.ts';
import { PATIENT } from '../../testing/test-config.ts';
import { openTestShop, type TestShop } from '../../testing/test-shop.ts';
import { cancelOrder, readTrade } from '../index.ts';
import { makeCoupon, payDesk, placeWithCoupon, readCoupon, readLocks } from './coupon-desk.testing.ts';
import { timeOutPromotions } from './time-out-promotions.ts';

const cancel = (shop: TestShop, tradeId: string) =>
  cancelOrder(
    { pool: shop.pool, waker: { wake: () => undefined }, log: silentLog },
    { tradeId, by: { kind: 'operator', name: 'test', reason: 'the case needs it' } },
  );
const placedId = (result: { kind: string; tradeId?: string; message?: string }) => {
  if (result.kind !== 'placed' || !result.tradeId) throw new Error(result.message);
  return result.tradeId;
};

describe('coupons used in the order itself', () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await openTestShop('coupons', PATIENT);
    await shop.stock('thing', 5000);
    await shop.stock('other', 500, 'S2');
  });
  afterAll(async () => shop.close());
  const order = (coupon: string, quantity = 1) => shop.order([{ skuId: 'thing', quantity }], { coupon });

  it('100 orders at once for a coupon of 10 uses: exactly 10 orders have it, the others hold nothing', async () => {
    await makeCoupon(shop.pool, { code: 'TEN', kind: 'PERCENT', value: 10, usageLimit: 10 });
    const before = (await shop.gate.read([{ shopId: 'S1', skuId: 'thing' }]))[0];
    const results = await Promise.all(Array.from({ length: 100 }, () => order('TEN')));
    expect(results.filter((r) => r.kind === 'placed').map((r) => r.totalMinor)).toEqual(
      Array.from({ length: 10 }, () => 1999 - 199),
    );
    expect(results.flatMap((r) => (r.kind === 'refused' ? [r.code] : []))).toEqual(
      Array.from({ length: 90 }, () => 'COUPON_REFUSED'),
    );
    expect(await readCoupon(shop.pool, 'TEN')).toBe(10);
    const after = (await shop.gate.read([{ shopId: 'S1', skuId: 'thing' }]))[0];
    if (before?.kind !== 'read' || after?.kind !== 'read') throw new Error('the gate is not open');
    expect(after.deducted - before.deducted).toBe(10);
    expect(await checkShop(shop)).toEqual([]);
  });

  it('C53 – A fixed discount is split over shops and lines to the cent; what is to be paid is the sum of the shares', async () => {
    await makeCoupon(shop.pool, { code: 'FIVE', kind: 'FIXED', value: 500, usageLimit: 5 });
    const placed = await shop.order(
      [
        { skuId: 'thing', quantity: 3 },
        { skuId: 'other', quantity: 1, shopId: 'S2' },
      ],
      { coupon: 'FIVE' },
    );
    expect(placed).toMatchObject({ kind: 'placed', totalMinor: 4 * 1999 - 500 });
    const trade = await readTrade(shop.pool, { tradeId: placedId(placed) });
    expect(trade?.shopOrders.map((so) => so.subtotalMinor)).toEqual([3 * 1999 - 375, 1999 - 125]);
    expect(await checkShop(shop)).toEqual([]);
  });

  it('a coupon that is unknown, over, not begun, of another currency or worth the whole order is refused; nothing is held', async () => {
    const usual = { kind: 'FIXED' as const, value: 100, usageLimit: 1 };
    await makeCoupon(shop.pool, { ...usual, code: 'OVER', validFor: ['-2 days', '-1 day'] });
    await makeCoupon(shop.pool, { ...usual, code: 'SOON', validFor: ['1 day', '2 days'] });
    await makeCoupon(shop.pool, { ...usual, code: 'YEN', currency: 'JPY' });
    await makeCoupon(shop.pool, { ...usual, code: 'ALL', value: 1999 });
    const before = (await shop.gate.read([{ shopId: 'S1', skuId: 'thing' }]))[0];
    for (const code of ['NONE', 'OVER', 'SOON', 'YEN', 'ALL'])
      expect(await order(code), code).toMatchObject({ code: 'COUPON_REFUSED', field: 'coupon' });
    expect((await shop.gate.read([{ shopId: 'S1', skuId: 'thing' }]))[0]).toEqual(before);
  });

  it('a closed order frees its use once, a paid one keeps it', async () => {
    await makeCoupon(shop.pool, { code: 'ONCE', kind: 'PERCENT', value: 50, usageLimit: 1 });
    const first = placedId(await order('ONCE'));
    expect(await order('ONCE')).toMatchObject({ code: 'COUPON_REFUSED' });
    await deliverEvents(shop.pool);
    await cancel(shop, first);
    await deliverEvents(shop.pool);
    expect(await readCoupon(shop.pool, 'ONCE')).toBe(0);
    const second = await placeWithCoupon(shop, { lines: [{ skuId: 'thing', quantity: 1 }], coupon: 'ONCE' });
    await payDesk(shop).pay(second);
    await deliverEvents(shop.pool);
    expect(await readLocks(shop.pool, [first, second.tradeId])).toEqual(['RELEASED', 'COMMITTED']);
    expect(await readCoupon(shop.pool, 'ONCE')).toBe(1);
    expect(await checkShop(shop)).toEqual([]);
  });

  it('C22 – The same key with and without a coupon are two bodies; the repeat of the first is its answer', async () => {
    await makeCoupon(shop.pool, { code: 'SAME', kind: 'PERCENT', value: 10, usageLimit: 1 });
    const same = { key: mint<'key'>(), buyerId: mint<'BuyerId'>() };
    const lines = [{ skuId: 'thing', quantity: 1 }];
    const first = await shop.order(lines, { ...same, coupon: 'SAME' });
    await shop.redis.del(`order:attempt:{${same.buyerId}}:${same.key}`);
    expect(await shop.order(lines, { ...same, coupon: 'SAME' })).toEqual({ ...first, repeated: true });
    expect(await shop.order(lines, same)).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
    expect(await readCoupon(shop.pool, 'SAME')).toBe(1);
  });
});

describe('coupons locked by events', () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await openTestShop('coupons-async', { ...PATIENT, ORDER_PROMOTION_COMMIT_ASYNC_ENABLED: 'true' });
    await shop.stock('thing', 5000);
  });
  afterAll(async () => shop.close());
  const order = (coupon: string) => placeWithCoupon(shop, { lines: [{ skuId: 'thing', quantity: 1 }], coupon });

  it('payment waits for the lock; paid commits the use, and a repeated request has no further effect', async () => {
    await makeCoupon(shop.pool, { code: 'ASYNC', kind: 'PERCENT', value: 10, usageLimit: 5 });
    const trade = await order('ASYNC');
    const desk = payDesk(shop);
    expect(await desk.start(trade)).toMatchObject({ code: 'PROMOTION_PENDING', tradeId: trade.tradeId });
    await deliverEvents(shop.pool);
    expect(await readLocks(shop.pool, [trade.tradeId])).toEqual(['LOCKED']);
    await desk.pay(trade);
    await deliverEvents(shop.pool);
    expect(await readLocks(shop.pool, [trade.tradeId])).toEqual(['COMMITTED']);
    // Every request comes once more.
    await shop.pool.query(
      `INSERT INTO tinystore_order.outbox_event (event_id, type, topic, key, trace_id, payload)
       SELECT gen_random_uuid(), type, topic, key, trace_id, payload FROM tinystore_order.outbox_event WHERE type LIKE 'PROMOTION%'`,
    );
    await shop.pool.query(
      `INSERT INTO tinystore_order.outbox_pending (id) SELECT id FROM tinystore_order.outbox WHERE status IS NULL`,
    );
    await deliverEvents(shop.pool);
    expect(await readCoupon(shop.pool, 'ASYNC')).toBe(1);
    expect(await checkShop(shop)).toEqual([]);
  });

  it('of 100 orders for 10 uses 90 are rejected and cancelled before money, and their units are free again', async () => {
    await makeCoupon(shop.pool, { code: 'FEW', kind: 'FIXED', value: 200, usageLimit: 10 });
    const trades = await Promise.all(Array.from({ length: 100 }, () => order('FEW')));
    await deliverEvents(shop.pool);
    const locks = await readLocks(
      shop.pool,
      trades.map((trade) => trade.tradeId),
    );
    expect(locks.filter((status) => status === 'LOCKED')).toHaveLength(10);
    expect(locks.filter((status) => status === 'REJECTED')).toHaveLength(90);
    const { rows } = await shop.pool.query<{ n: number }>(
      `SELECT count(*) AS n FROM tinystore_order.trade WHERE close_reason = 'PROMOTION_REJECTED'`,
    );
    expect(rows[0]?.n).toBe(90);
    expect(await checkShop(shop)).toEqual([]);
    expect(await readCoupon(shop.pool, 'FEW')).toBe(10);
  });

  it('P40 – A lock that is pending for 30 s cancels its order, in batches; the lock that comes late is released', async () => {
    await makeCoupon(shop.pool, { code: 'SLOW', kind: 'FIXED', value: 200, usageLimit: 50 });
    const slow = await Promise.all(Array.from({ length: 5 }, () => order('SLOW')));
    const young = await order('SLOW');
    const ids = slow.map((trade) => trade.tradeId);
    await shop.pool.query(
      `UPDATE tinystore_order.promotion_lock SET created_at = created_at - interval '31 s' WHERE trade_id = ANY($1::uuid[])`,
      [ids],
    );
    const deps = { pool: shop.pool, waker: { wake: () => undefined }, log: silentLog };
    const limits = { pendingSeconds: 30, batchSize: 2, maxBatches: 10 };
    const runs = await Promise.all([timeOutPromotions(deps, limits), timeOutPromotions(deps, limits)]);
    expect(runs.flatMap((run) => run.failed)).toEqual([]);
    expect(await timeOutPromotions(deps, limits)).toMatchObject({ cancelled: 0 });
    const { rows } = await shop.pool.query<{ id: string }>(
      `SELECT id FROM tinystore_order.trade WHERE close_reason = 'PROMOTION_TIMED_OUT' ORDER BY id`,
    );
    expect(rows.map((row) => row.id)).toEqual([...ids].sort());
    // The requests were waiting all the time; their answers come after the end.
    await deliverEvents(shop.pool);
    expect(await readLocks(shop.pool, ids)).toEqual(ids.map(() => 'RELEASED'));
    expect(await readLocks(shop.pool, [young.tradeId])).toEqual(['LOCKED']);
    expect(await readCoupon(shop.pool, 'SLOW')).toBe(1);
    expect(await checkShop(shop)).toEqual([]);
  });

  it('P40 – An order whose money has arrived is never cancelled by the time-out', async () => {
    await makeCoupon(shop.pool, { code: 'PAID', kind: 'FIXED', value: 200, usageLimit: 5 });
    const trade = await order('PAID');
    await deliverEvents(shop.pool);
    await payDesk(shop).pay(trade);
    await shop.pool.query(
      `UPDATE tinystore_order.promotion_lock SET status = 'PENDING', created_at = created_at - interval '1 h' WHERE trade_id = $1`,
      [trade.tradeId],
    );
    const deps = { pool: shop.pool, waker: { wake: () => undefined }, log: silentLog };
    expect(await timeOutPromotions(deps, { pendingSeconds: 30, batchSize: 200, maxBatches: 5 })).toEqual({
      scanned: 0,
      cancelled: 0,
      failed: [],
    });
    await shop.pool.query(`UPDATE tinystore_order.promotion_lock SET status = 'LOCKED' WHERE trade_id = $1`, [
      trade.tradeId,
    ]);
    expect(await checkShop(shop)).toEqual([]);
  });
});
