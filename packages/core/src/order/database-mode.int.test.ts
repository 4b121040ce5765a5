import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mint } from '../domain/index.ts';
import { switchGateMode } from '../ledger/index.ts';
import { checkShop } from '../testing/check-shop.ts';
import { deliverEvents } from '../testing/deliver-events.ts';
import { PATIENT } from '../testing/test-config.ts';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';
import { createPlaceOrderDeps, placeOrder } from './index.ts';

/** Puts a SKU on sale that the ledger alone sells. */
async function stockInLedger(shop: TestShop, skuId: string, units: number, shopId = 'S1') {
  await shop.stock(skuId, units, shopId);
  const waker = { wake: () => undefined };
  const command = { shopId, skuId, to: 'DATABASE', actor: 'test', reason: 'ordinary goods' } as const;
  expect(await switchGateMode({ pool: shop.pool, waker }, command)).toEqual({ kind: 'switched', mode: 'DATABASE' });
  await shop.gatekeeper.runOnce();
}

const ledgerOf = async (shop: TestShop, skuId: string) => {
  const { rows } = await shop.pool.query<{ figures: string }>(
    `SELECT concat_ws('/', total_quantity, reserved_quantity, confirmed_quantity) AS figures
     FROM tinystore_inventory.inventory_stock WHERE sku_id = $1`,
    [skuId],
  );
  return rows[0]?.figures;
};
const statusOf = async (shop: TestShop, tradeId: string) => {
  const { rows } = await shop.pool.query<{ status: string }>(
    'SELECT status FROM tinystore_order.shop_order WHERE trade_id = $1 ORDER BY shop_id',
    [tradeId],
  );
  return rows.map((row) => row.status);
};
const tradeIdOf = (result: { kind: string; tradeId?: string }) => result.tradeId ?? result.kind;

describe('goods that the ledger alone sells', () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await openTestShop('database-mode', PATIENT);
  });
  afterAll(async () => shop.close());

  it('200 buyers at once for 100 units: exactly 100 orders, the others told that none is left', async () => {
    await stockInLedger(shop, 'plain', 100);
    const results = await Promise.all(Array.from({ length: 200 }, () => shop.order([{ skuId: 'plain', quantity: 1 }])));
    expect(results.filter((r) => r.kind === 'placed')).toHaveLength(100);
    expect(results.flatMap((r) => (r.kind === 'refused' ? [[r.code, r.lines?.[0]?.left]] : []))).toEqual(
      Array.from({ length: 100 }, () => ['SOLD_OUT', 0]),
    );
    expect(await ledgerOf(shop, 'plain')).toBe('100/100/0');
    // No key at the gate, nothing sent to the ledger: the rows are there with the order.
    expect(await shop.redis.exists('inventory:epoch:{S1}:plain', 'inventory:total:{S1}:plain')).toBe(0);
    expect(await deliverEvents(shop.pool)).not.toContain('INVENTORY_RESERVE_DB');
    expect(await checkShop(shop)).toEqual([]);
  });

  it('an order of such goods alone is reserved from its first moment', async () => {
    await stockInLedger(shop, 'first', 3);
    const placed = await shop.order([{ skuId: 'first', quantity: 2 }]);
    expect(await statusOf(shop, tradeIdOf(placed))).toEqual(['RESERVED']);
    expect(await ledgerOf(shop, 'first')).toBe('3/2/0');
  });

  it('P5 – When not all of a batch fit, orders are judged one by one and the units that are left go to whom they fit', async () => {
    await stockInLedger(shop, 'last', 3);
    const desk = createPlaceOrderDeps({
      ...shop.desk,
      config: { ...shop.config, order: { ...shop.config.order, ORDER_COMMIT_WINDOW_MS: 50 } },
    });
    const order = (quantity: number) =>
      placeOrder(desk, {
        key: mint<'key'>(),
        buyerId: mint<'BuyerId'>(),
        traceId: 'test',
        lines: [{ shopId: 'S1', skuId: 'last', quantity, unitPriceMinor: 1999 }],
      });
    const results = await Promise.all([order(2), order(2), order(1)]);
    expect(results.map((r) => r.kind).sort()).toEqual(['placed', 'placed', 'refused']);
    expect(results.find((r) => r.kind === 'refused')).toMatchObject({ code: 'SOLD_OUT', lines: [{ wanted: 2 }] });
    expect(await ledgerOf(shop, 'last')).toBe('3/3/0');
  });

  it('C22 – A refused or repeated order of such goods leaves the ledger untouched, and the buyer learns what is left', async () => {
    await stockInLedger(shop, 'few', 5);
    expect(await shop.order([{ skuId: 'few', quantity: 6 }])).toMatchObject({
      code: 'SOLD_OUT',
      lines: [{ skuId: 'few', wanted: 6, left: 5 }],
    });
    const same = { key: mint<'key'>(), buyerId: mint<'BuyerId'>() };
    const first = await shop.order([{ skuId: 'few', quantity: 2 }], same);
    await shop.redis.del(`order:attempt:{${same.buyerId}}:${same.key}`);
    expect(await shop.order([{ skuId: 'few', quantity: 2 }], same)).toEqual({ ...first, repeated: true });
    expect(await ledgerOf(shop, 'few')).toBe('5/2/0');
  });

  it('a mixed order holds both kinds; it is reserved when the gate line has its row', async () => {
    await stockInLedger(shop, 'mixed-plain', 5);
    await shop.stock('mixed-hot', 5);
    const lines = [
      { skuId: 'mixed-plain', quantity: 2 },
      { skuId: 'mixed-hot', quantity: 1 },
    ];
    const placed = await shop.order(lines);
    expect(await statusOf(shop, tradeIdOf(placed))).toEqual(['RESERVING']);
    expect(await ledgerOf(shop, 'mixed-plain')).toBe('5/2/0');
    await deliverEvents(shop.pool);
    expect(await statusOf(shop, tradeIdOf(placed))).toEqual(['RESERVED']);
    expect(await ledgerOf(shop, 'mixed-hot')).toBe('5/1/0');
    // One that the ledger refuses gives back what it took at the gate.
    expect(await shop.order([{ skuId: 'mixed-plain', quantity: 4 }, ...lines.slice(1)])).toMatchObject({
      code: 'SOLD_OUT',
      lines: [{ skuId: 'mixed-plain', left: 3 }],
    });
    expect((await shop.gate.read([{ shopId: 'S1', skuId: 'mixed-hot' }]))[0]).toMatchObject({ deducted: 1 });
    expect(await checkShop(shop)).toEqual([]);
  });

  it('P6 – A gate line that the ledger refuses takes the units of the other lines with it', async () => {
    await stockInLedger(shop, 'with-plain', 5);
    await shop.stock('with-hot', 1);
    const lines = [
      { skuId: 'with-plain', quantity: 1 },
      { skuId: 'with-hot', quantity: 1 },
    ];
    const first = await shop.order(lines);
    // The gate forgets that its only unit is taken.
    await shop.redis.set('inventory:deducted:{S1}:with-hot', '0');
    const second = await shop.order(lines);
    await deliverEvents(shop.pool);
    expect(await statusOf(shop, tradeIdOf(first))).toEqual(['RESERVED']);
    expect(await statusOf(shop, tradeIdOf(second))).toEqual(['RELEASED']);
    expect(await ledgerOf(shop, 'with-plain')).toBe('5/1/0');
    expect(await ledgerOf(shop, 'with-hot')).toBe('1/1/0');
    await shop.gatekeeper.rebuild();
    expect(await checkShop(shop)).toEqual([]);
  });

  it('P21 – While the gate is closed such goods go on being sold; an order with a gate line is refused and holds nothing', async () => {
    await stockInLedger(shop, 'closed-plain', 5);
    await shop.stock('closed-hot', 5);
    const desk = createPlaceOrderDeps({
      ...shop.desk,
      config: { ...shop.config, order: { ...shop.config.order, ORDER_REQUEST_LIMIT_MS: 600 } },
    });
    const order = (...skus: string[]) =>
      placeOrder(desk, {
        key: mint<'key'>(),
        buyerId: mint<'BuyerId'>(),
        traceId: 'test',
        lines: skus.map((skuId) => ({ shopId: 'S1', skuId, quantity: 1, unitPriceMinor: 1999 })),
      });
    await shop.pool.query('UPDATE tinystore_inventory.gate_epoch SET open = false');
    await shop.gate.refresh();
    expect(await order('closed-plain')).toMatchObject({ kind: 'placed' });
    expect(await order('closed-plain', 'closed-hot')).toMatchObject({ code: 'GATE_CLOSED' });
    expect(await ledgerOf(shop, 'closed-plain')).toBe('5/1/0');
    await shop.gatekeeper.runOnce();
    expect(await checkShop(shop)).toEqual([]);
  });
});

describe('P22 – Redis is away', () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await openTestShop('database-mode-no-redis', { ORDER_REQUEST_LIMIT_MS: '800' });
  });
  afterAll(async () => shop.close());

  it('goods of the ledger are sold, each key once; orders with a gate line and strict systems say that the shop is closed', async () => {
    await stockInLedger(shop, 'plain', 5);
    await shop.stock('hot', 5);
    const plain = [{ skuId: 'plain', quantity: 1 }];
    await shop.order(plain);
    await shop.server.kill();

    const same = { key: mint<'key'>(), buyerId: mint<'BuyerId'>() };
    const [first, again] = await Promise.all([shop.order(plain, same), shop.order(plain, same)]);
    expect([first.kind, again.kind]).toEqual(['placed', 'placed']);
    expect(tradeIdOf(first)).toBe(tradeIdOf(again));
    expect(await ledgerOf(shop, 'plain')).toBe('5/2/0');
    expect(await shop.order([...plain, { skuId: 'hot', quantity: 1 }])).toMatchObject({ code: 'GATE_CLOSED' });
    const strict = createPlaceOrderDeps({
      ...shop.desk,
      config: { ...shop.config, order: { ...shop.config.order, ORDER_IDEMPOTENCY_FAIL_ON_REDIS_ERROR: true } },
    });
    const command = {
      key: mint<'key'>(),
      buyerId: mint<'BuyerId'>(),
      traceId: 'test',
      lines: [{ shopId: 'S1', skuId: 'plain', quantity: 1, unitPriceMinor: 1999 }],
    };
    expect(await placeOrder(strict, command)).toMatchObject({ code: 'GATE_CLOSED' });
    expect(await ledgerOf(shop, 'plain')).toBe('5/2/0');

    await shop.server.start('empty');
    expect(await checkShop(shop)).toEqual([]);
  });
});
