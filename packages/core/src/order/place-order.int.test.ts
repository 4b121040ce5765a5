import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mint } from '../domain/index.ts';
import { deliverEvents } from '../testing/deliver-events.ts';
import { PATIENT } from '../testing/test-config.ts';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';

describe('placing orders', () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await openTestShop('place-order', PATIENT);
  });
  afterAll(async () => shop.close());

  const counters = async (skuId: string) => (await shop.gate.read([{ shopId: 'S1', skuId }]))[0];
  const orders = async () =>
    (await shop.pool.query<{ n: number }>('SELECT count(*) AS n FROM tinystore_order.trade')).rows[0]?.n;

  it('200 buyers at once for 100 units: exactly 100 orders, 100 told sold out with nothing left', async () => {
    await shop.stock('hot', 100);
    const results = await Promise.all(Array.from({ length: 200 }, () => shop.order([{ skuId: 'hot', quantity: 1 }])));
    expect(results.filter((r) => r.kind === 'placed')).toHaveLength(100);
    const refused = results.filter((r) => r.kind === 'refused');
    expect(refused.map((r) => [r.code, r.lines?.[0]?.left])).toEqual(
      Array.from({ length: 100 }, () => ['SOLD_OUT', 0]),
    );
    expect(await counters('hot')).toMatchObject({ total: 100, deducted: 100, holdCount: 100 });
  });

  it('C18 one key 50 times at once makes one order and 50 equal answers', async () => {
    await shop.stock('once', 10);
    const same = { key: mint<'key'>(), buyerId: mint<'BuyerId'>() };
    const results = await Promise.all(
      Array.from({ length: 50 }, () => shop.order([{ skuId: 'once', quantity: 1 }], same)),
    );
    const answers = new Set(
      results.map((r) => (r.kind === 'placed' ? `${r.tradeId} ${r.payUntil} ${r.totalMinor}` : r.code)),
    );
    expect([...answers]).toHaveLength(1);
    expect(results.every((r) => r.kind === 'placed')).toBe(true);
    expect(await counters('once')).toMatchObject({ deducted: 1, holdCount: 1 });
  });

  it('C04 lines of one SKU are summed: 3 and 3 of 5 is refused whole, 3 and 2 is taken', async () => {
    await shop.stock('pair', 5);
    const line = (quantity: number) => ({ skuId: 'pair', quantity });
    expect(await shop.order([line(3), line(3)])).toMatchObject({ code: 'SOLD_OUT', lines: [{ wanted: 6, left: 5 }] });
    expect(await counters('pair')).toMatchObject({ deducted: 0, holdCount: 0 });
    expect(await shop.order([line(3), line(2)])).toMatchObject({ kind: 'placed', totalMinor: 5 * 1999 });
    expect(await counters('pair')).toMatchObject({ deducted: 5, holdCount: 1 });
  });

  it('C13 a repeat after Redis forgot everything gets its first answer, another body a refusal', async () => {
    await shop.stock('late', 1);
    const same = { key: mint<'key'>(), buyerId: mint<'BuyerId'>() };
    const first = await shop.order([{ skuId: 'late', quantity: 1 }], same);
    await shop.redis.del(`order:attempt:{${same.buyerId}}:${same.key}`);
    expect(await shop.order([{ skuId: 'late', quantity: 1 }], same)).toEqual({ ...first, repeated: true });
    expect(await shop.order([{ skuId: 'late', quantity: 1 }], { ...same, email: 'other@example.com' })).toMatchObject({
      code: 'IDEMPOTENCY_MISMATCH',
    });
    expect(await counters('late')).toMatchObject({ deducted: 1, holdCount: 1 });
  });

  it('C22 a cart has one open order; the second try is led to it and takes nothing', async () => {
    await shop.stock('cart', 10);
    const same = { cartId: mint<'CartId'>(), buyerId: mint<'BuyerId'>() };
    const first = await shop.order([{ skuId: 'cart', quantity: 1 }], same);
    const second = await shop.order([{ skuId: 'cart', quantity: 1 }], same);
    expect(second).toMatchObject({ code: 'OPEN_ORDER', tradeId: first.kind === 'placed' ? first.tradeId : '' });
    expect(await counters('cart')).toMatchObject({ deducted: 1, holdCount: 1 });
  });

  it('C21 a cart whose order ran out of time can be ordered again at once, with the very units it held', async () => {
    await shop.stock('last', 1);
    shop.gatekeeper.start();
    const same = { cartId: mint<'CartId'>(), buyerId: mint<'BuyerId'>() };
    expect(await shop.order([{ skuId: 'last', quantity: 1 }], same)).toMatchObject({ kind: 'placed' });
    await deliverEvents(shop.pool);
    await shop.pool.query(
      `UPDATE tinystore_order.trade SET pay_until = ops.clock_now() - interval '1 s' WHERE cart_id = $1`,
      [same.cartId],
    );
    expect(await shop.order([{ skuId: 'last', quantity: 1 }], same)).toMatchObject({ kind: 'placed', repeated: false });
    expect(await counters('last')).toMatchObject({ deducted: 1, holdCount: 1 });
  });

  it('a buyer has at most 5 unpaid orders', async () => {
    await shop.stock('many', 50);
    const buyerId = mint<'BuyerId'>();
    const results = await Promise.all(
      Array.from({ length: 20 }, () => shop.order([{ skuId: 'many', quantity: 1 }], { buyerId })),
    );
    expect(results.filter((r) => r.kind === 'placed')).toHaveLength(5);
    expect(results.filter((r) => r.kind === 'refused' && r.code === 'LIMIT_EXCEEDED')).toHaveLength(15);
    expect(await counters('many')).toMatchObject({ deducted: 5, holdCount: 5 });
  });

  it('C22 an unknown SKU or an outdated price changes neither book', async () => {
    await shop.stock('price', 10);
    const [before, count] = [await counters('price'), await orders()];
    expect(
      await shop.order([
        { skuId: 'price', quantity: 1 },
        { skuId: 'nowhere', quantity: 1 },
      ]),
    ).toMatchObject({ code: 'UNKNOWN_SKU' });
    await shop.pool.query(`UPDATE tinystore_order.sku SET price_minor = 2500 WHERE id = 'price'`);
    expect(await shop.order([{ skuId: 'price', quantity: 1 }])).toMatchObject({ code: 'PRICE_CHANGED' });
    expect(await counters('price')).toMatchObject({ ...before, version: expect.any(Number) as number });
    expect(await counters('price')).toMatchObject({ deducted: 0, holdCount: 0 });
    expect(await orders()).toBe(count);
  });

  it('C50 an order whose total is past the largest amount is refused and takes nothing', async () => {
    await Promise.all([shop.stock('yacht', 9999), shop.stock('liner', 9999)]);
    await shop.pool.query(`UPDATE tinystore_order.sku SET price_minor = 99999999 WHERE id IN ('yacht', 'liner')`);
    const fleet = ['yacht', 'liner'].map((skuId) => ({ skuId, quantity: 9999, unitPriceMinor: 99_999_999 }));
    expect(await shop.order(fleet)).toMatchObject({ kind: 'refused', code: 'LIMIT_EXCEEDED', field: 'lines' });
    expect(await counters('yacht')).toMatchObject({ deducted: 0, holdCount: 0 });
    expect(await shop.order(fleet.slice(0, 1))).toMatchObject({ kind: 'placed', totalMinor: 9999 * 99_999_999 });
  });

  it('one refused shop of two gives the other back', async () => {
    await shop.stock('two', 5, 'S1');
    await shop.stock('two', 1, 'S2');
    const refused = await shop.order([
      { skuId: 'two', quantity: 2 },
      { skuId: 'two', quantity: 2, shopId: 'S2' },
    ]);
    expect(refused).toMatchObject({ code: 'SOLD_OUT', lines: [{ shopId: 'S2', left: 1 }] });
    expect(await counters('two')).toMatchObject({ deducted: 0, holdCount: 0 });
    expect(
      await shop.order([
        { skuId: 'two', quantity: 2 },
        { skuId: 'two', quantity: 1, shopId: 'S2' },
      ]),
    ).toMatchObject({ kind: 'placed' });
  });
});
