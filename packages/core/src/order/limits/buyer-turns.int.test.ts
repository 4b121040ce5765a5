/** P23: what a buyer who tries very often at once can hold back from the others. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mint } from '../../domain/index.ts';
import type { Gate } from '../../gate/index.ts';
import { checkShop } from '../../testing/check-shop.ts';
import { PATIENT } from '../../testing/test-config.ts';
import { openTestShop, type TestShop } from '../../testing/test-shop.ts';
import { createPlaceOrderDeps, placeOrder } from '../index.ts';

const TRIES = 200;
const PRICE_MINOR = 1999;
/** Two places in this one process. */
const ON_THE_WAY = 2;

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop('buyer_turns', { ...PATIENT, ORDER_OPEN_LIMIT: '5', ORDER_REQUEST_LIMIT_MS: '30000' });
});
afterAll(() => shop.close());

/** The same gate, with the most units that were ever taken and not given back. */
function watched(gate: Gate): { readonly gate: Gate; most(): number } {
  let held = 0;
  let most = 0;
  const units = (holds: readonly { quantity: number }[]) => holds.reduce((all, hold) => all + hold.quantity, 0);
  return {
    gate: {
      ...gate,
      async take(holds) {
        const outcome = await gate.take(holds);
        if (outcome.kind === 'taken') held += units(holds);
        most = Math.max(most, held);
        return outcome;
      },
      async giveBack(holds) {
        const outcome = await gate.giveBack(holds);
        held -= units(holds);
        return outcome;
      },
    },
    most: () => most,
  };
}

async function tryOften(skuId: string) {
  const { gate, most } = watched(shop.gate);
  const desk = createPlaceOrderDeps({ ...shop.desk, gate });
  const buyerId = mint<'BuyerId'>();
  const results = await Promise.all(
    Array.from({ length: TRIES }, () =>
      placeOrder(desk, {
        key: mint<'key'>(),
        buyerId,
        traceId: 'test',
        lines: [{ shopId: 'S1', skuId, quantity: 1, unitPriceMinor: PRICE_MINOR }],
      }),
    ),
  );
  const outcomes = results.map((result) => (result.kind === 'placed' ? 'placed' : result.code));
  return { buyerId, most: most(), placed: outcomes.filter((outcome) => outcome === 'placed').length, outcomes };
}

test('200 parallel tries of one buyer never hold more than his open orders and two on the way', async () => {
  await shop.stock('open', TRIES);
  const { most, placed, outcomes } = await tryOften('open');
  expect(placed).toBe(5);
  expect(new Set(outcomes)).toEqual(new Set(['placed', 'LIMIT_EXCEEDED']));
  expect(most).toBeLessThanOrEqual(5 + ON_THE_WAY);
  expect(await checkShop(shop)).toEqual([]);
});

test('nor more than his limit of one SKU and two on the way, and what he cannot have is told before it is taken', async () => {
  await shop.stock('limited', TRIES);
  await shop.pool.query(
    `UPDATE tinystore_order.sku SET buyer_limit = 3, buyer_window_seconds = 3600 WHERE id = 'limited'`,
  );
  const { most, placed, outcomes, buyerId } = await tryOften('limited');
  expect(placed).toBe(3);
  expect(new Set(outcomes)).toEqual(new Set(['placed', 'LIMIT_EXCEEDED']));
  expect(most).toBeLessThanOrEqual(3 + ON_THE_WAY);
  // Alone, without a look before: the commit refuses the same.
  expect(await shop.order([{ skuId: 'limited', quantity: 1 }], { buyerId })).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    lines: [{ skuId: 'limited', wanted: 1, left: 0 }],
  });
  expect(await checkShop(shop)).toEqual([]);
});

test('a buyer over his limit who tries again with a key that made an order gets that order', async () => {
  await shop.stock('again', 50);
  const buyerId = mint<'BuyerId'>();
  const keys = Array.from({ length: 5 }, () => mint<'key'>());
  const order = (key: string) => shop.order([{ skuId: 'again', quantity: 1 }], { buyerId, key });
  const first = await Promise.all(keys.map(order));
  // Redis has forgotten the answers; the ledger has not.
  const answers = (await shop.redis.keys('*')).filter((key) => !key.startsWith('inventory:'));
  await shop.redis.del(...answers);
  const again = await Promise.all([...keys, mint<'key'>(), mint<'key'>()].map(order));
  for (const [index, known] of first.entries())
    expect(again[index]).toMatchObject({
      kind: 'placed',
      repeated: true,
      tradeId: known.kind === 'placed' ? known.tradeId : 'none',
    });
  const inCart = { buyerId, cartId: mint<'cart'>() };
  await shop.pool.query('UPDATE tinystore_order.trade SET cart_id = $2 WHERE buyer_id = $1 AND idempotency_key = $3', [
    buyerId,
    inCart.cartId,
    keys[0],
  ]);
  const carts = await Promise.all([1, 2, 3].map(() => shop.order([{ skuId: 'again', quantity: 1 }], inCart)));
  expect(carts.map((outcome) => outcome.kind === 'refused' && outcome.code)).toEqual(Array(3).fill('OPEN_ORDER'));
  expect(again.slice(5)).toMatchObject([{ code: 'LIMIT_EXCEEDED' }, { code: 'LIMIT_EXCEEDED' }]);
});
