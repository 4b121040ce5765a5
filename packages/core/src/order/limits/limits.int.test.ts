import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mint } from '../../domain/index.ts';
import { switchGateMode } from '../../ledger/index.ts';
import { silentLog } from '../../platform/index.ts';
import { checkShop } from '../../testing/check-shop.ts';
import { setClockOffset } from '../../testing/clock.ts';
import { deliverEvents } from '../../testing/deliver-events.ts';
import { PATIENT } from '../../testing/test-config.ts';
import { openTestShop, type TestShop } from '../../testing/test-shop.ts';
import { cancelOrder } from '../index.ts';

const DAY_SECONDS = 86_400;

describe('P23 – limits of a SKU', () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await openTestShop('limits', { ...PATIENT, ORDER_OPEN_LIMIT: '1000' });
  });
  afterAll(async () => shop.close());

  const limit = (skuId: string, perOrder: number | null, perBuyer: number | null) =>
    shop.pool.query(
      'UPDATE tinystore_order.sku SET order_limit = $2, buyer_limit = $3, buyer_window_seconds = $4 WHERE id = $1',
      [skuId, perOrder, perBuyer, perBuyer === null ? null : DAY_SECONDS],
    );
  const countedOf = async (buyerId: string) => {
    const { rows } = await shop.pool.query<{ units: number }>(
      'SELECT units FROM tinystore_order.buyer_sku_limit WHERE buyer_id = $1 ORDER BY window_start',
      [buyerId],
    );
    return rows.map((row) => row.units);
  };
  const heldAt = async (skuId: string) => (await shop.gate.read([{ shopId: 'S1', skuId }]))[0];
  const cancel = (tradeId: string) =>
    cancelOrder(
      { pool: shop.pool, waker: { wake: () => undefined }, log: silentLog },
      { tradeId, by: { kind: 'operator', name: 'test', reason: 'the case needs it' } },
    );

  it('an order of more units of a SKU than one order may have is told the limit and takes nothing', async () => {
    await shop.stock('order-limit', 50);
    await limit('order-limit', 3, null);
    expect(await shop.order([{ skuId: 'order-limit', quantity: 4 }])).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: 'At most 3 of order-limit, one in one order.',
      lines: [{ wanted: 4, left: 3 }],
    });
    expect(await shop.order([{ skuId: 'order-limit', quantity: 3 }])).toMatchObject({ kind: 'placed' });
    // A limit that came after the price list was read counts too: the commit judges it.
    await limit('order-limit', 2, null);
    expect(await shop.order([{ skuId: 'order-limit', quantity: 3 }])).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(await heldAt('order-limit')).toMatchObject({ deducted: 3, holdCount: 1 });
  });

  for (const mode of ['REDIS', 'DATABASE'] as const)
    it(`200 tries of one buyer at once do not pass a limit of 7 units (${mode})`, async () => {
      const skuId = `buyer-${mode}`;
      await shop.stock(skuId, 500);
      await limit(skuId, null, 7);
      if (mode === 'DATABASE')
        await switchGateMode(
          { pool: shop.pool, waker: { wake: () => undefined } },
          { shopId: 'S1', skuId, to: 'DATABASE', actor: 'test', reason: 'ordinary goods' },
        );
      const buyerId = mint<'BuyerId'>();
      const results = await Promise.all(
        Array.from({ length: 200 }, (_, n) => shop.order([{ skuId, quantity: 1 + (n % 2) }], { buyerId })),
      );
      const placed = results.filter((r) => r.kind === 'placed');
      const units = placed.reduce((sum, r) => sum + r.totalMinor / 1999, 0);
      expect(units).toBe(7);
      expect(await countedOf(buyerId)).toEqual([7]);
      const refused = results.find((r) => r.kind === 'refused');
      expect(refused).toMatchObject({ code: 'LIMIT_EXCEEDED' });
      expect(await shop.order([{ skuId, quantity: 1 }], { buyerId })).toMatchObject({
        code: 'LIMIT_EXCEEDED',
        message: `At most 7 of ${skuId}, one a buyer, none is left for you now.`,
        lines: [{ skuId, wanted: 1, left: 0 }],
      });
      expect(await shop.order([{ skuId, quantity: 7 }])).toMatchObject({ kind: 'placed' });
      if (mode === 'REDIS') expect(await heldAt(skuId)).toMatchObject({ deducted: 14 });
      expect(await checkShop(shop)).toEqual([]);
    });

  it('a limit set a moment ago holds though the price list does not know it yet', async () => {
    await shop.stock('sudden', 50);
    const buyerId = mint<'BuyerId'>();
    expect(await shop.order([{ skuId: 'sudden', quantity: 5 }], { buyerId })).toMatchObject({ kind: 'placed' });
    await limit('sudden', null, 2);
    expect(await shop.order([{ skuId: 'sudden', quantity: 3 }], { buyerId })).toMatchObject({ lines: [{ left: 2 }] });
    expect(await shop.order([{ skuId: 'sudden', quantity: 2 }], { buyerId })).toMatchObject({ kind: 'placed' });
  });

  it('units count no more once their order has closed', async () => {
    await shop.stock('closing', 50);
    await limit('closing', null, 4);
    const buyerId = mint<'BuyerId'>();
    const [first, second] = [
      await shop.order([{ skuId: 'closing', quantity: 3 }], { buyerId }),
      await shop.order([{ skuId: 'closing', quantity: 1 }], { buyerId }),
    ];
    if (first.kind !== 'placed' || second.kind !== 'placed') throw new Error('not placed');
    await deliverEvents(shop.pool);
    await cancel(first.tradeId);
    await deliverEvents(shop.pool);
    expect(await countedOf(buyerId)).toEqual([1]);
    expect(await shop.order([{ skuId: 'closing', quantity: 3 }], { buyerId })).toMatchObject({ kind: 'placed' });
    expect(await checkShop(shop)).toEqual([]);
  });

  it('a new window begins when the old one has ended; what closes later lowers the window it was bought in', async () => {
    await shop.stock('window', 50);
    await limit('window', null, 2);
    const buyerId = mint<'BuyerId'>();
    const old = await shop.order([{ skuId: 'window', quantity: 2 }], { buyerId });
    if (old.kind !== 'placed') throw new Error(old.message);
    expect(await shop.order([{ skuId: 'window', quantity: 1 }], { buyerId })).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    await deliverEvents(shop.pool);
    try {
      await setClockOffset(shop.pool, (DAY_SECONDS + 1) * 1000);
      expect(await shop.order([{ skuId: 'window', quantity: 2 }], { buyerId })).toMatchObject({ kind: 'placed' });
      expect(await countedOf(buyerId)).toEqual([2, 2]);
      await cancel(old.tradeId);
      await deliverEvents(shop.pool);
      expect(await countedOf(buyerId)).toEqual([0, 2]);
    } finally {
      await setClockOffset(shop.pool, 0);
    }
  });
});
