/** What refused, repeated and cancelled orders do at the gate, unit by unit. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mint } from '../domain/index.ts';
import { checkInvariants } from '../testing/invariants.ts';
import { PATIENT } from '../testing/test-config.ts';
import { type Canceller, cancelOrder } from './cancel-order.ts';
import { type LateMoneyDesk, openLateMoneyDesk, type PlacedOrder } from './payment/late/late-money-desk.testing.ts';
import { readStock } from './payment/payment-desk.testing.ts';

let desk: LateMoneyDesk;
beforeAll(async () => {
  desk = await openLateMoneyDesk('untouched', { ...PATIENT, ORDER_OPEN_LIMIT: '100' });
});
afterAll(async () => {
  const broken = await checkInvariants({ pool: desk.pool, gate: desk.gate });
  await desk.close();
  expect(broken).toEqual([]);
});

const one = (skuId: string, quantity = 1) => [{ skuId, quantity }];
const many = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make));
const buyer = ({ buyerId }: { buyerId: string }): Canceller => ({ kind: 'buyer', buyerId });
const operator: Canceller = { kind: 'operator', name: 'otto', reason: 'the buyer called' };
const cancel = ({ tradeId }: { tradeId: string }, by: Canceller) => cancelOrder(desk.deps, { tradeId, by });
const raw = async (skuId: string) => (await desk.gate.read([{ shopId: 'S1', skuId }]))[0];

describe('C22 – A refused or repeated order leaves the gate untouched', () => {
  test('one cart ordered 50 times in a row, half with the first key, half with new ones', async () => {
    await desk.stock('cart', 10);
    const same = { buyerId: mint<'BuyerId'>(), cartId: mint<'CartId'>() };
    const key = mint<'key'>();
    const trades = new Set<string | undefined>();
    for (let n = 0; n < 50; n++)
      trades.add((await desk.order(one('cart'), { ...same, key: n % 2 ? mint<'key'>() : key })).tradeId);
    expect([...trades]).toEqual([expect.any(String)]);
    await desk.settle();
    expect(await desk.atGate('cart')).toEqual({ deducted: 1, holds: 1 });
  });

  test('all held: 100 are told "sold out" and move nothing; what is cancelled can be bought once each', async () => {
    await desk.stock('full', 10);
    const orders: PlacedOrder[] = [];
    while (orders.length < 10) orders.push(await desk.place(one('full')));
    const before = await raw('full');
    const refused = await many(100, () => desk.order(one('full')));
    expect(new Set(refused.map((answer) => (answer.kind === 'refused' ? answer.code : 'placed')))).toEqual(
      new Set(['SOLD_OUT']),
    );
    expect(await raw('full')).toEqual(before);
    for (const order of orders) await cancel(order, buyer(order));
    await desk.settle();
    const next = await many(11, () => desk.order(one('full')));
    expect(next.filter((answer) => answer.kind === 'placed')).toHaveLength(10);
    expect(await desk.atGate('full')).toEqual({ deducted: 10, holds: 10 });
    await desk.settle();
  });

  test('an unknown SKU or an outdated price changes neither counters nor version', async () => {
    await desk.stock('priced', 10);
    const before = await raw('priced');
    const [line] = one('priced');
    expect(await desk.order([{ skuId: 'priced', quantity: 1 }, ...one('nowhere')])).toMatchObject({
      code: 'UNKNOWN_SKU',
    });
    await desk.pool.query(`UPDATE tinystore_order.sku SET price_minor = 2500 WHERE id = 'priced'`);
    expect(await desk.order(line ? [line] : [])).toMatchObject({ code: 'PRICE_CHANGED' });
    await desk.settle();
    expect(await desk.atGate('priced')).toEqual({ deducted: 0, holds: 0 });
    const after = await raw('priced');
    expect(after).toMatchObject({ ...before, version: expect.any(Number) });
  });
});

test('C21 – What the shopper cancels after a declined payment can be ordered by another', async () => {
  await desk.stock('last', 1);
  const order = await desk.place(one('last'));
  await desk.notify(order, { type: 'failed' });
  expect(await desk.order(one('last'))).toMatchObject({ code: 'SOLD_OUT' });
  expect(await cancel(order, buyer(order))).toEqual({ kind: 'closed' });
  await desk.settle();
  expect(await desk.atGate('last')).toEqual({ deducted: 0, holds: 0 });
  expect(await desk.order(one('last'))).toMatchObject({ kind: 'placed' });
  await desk.settle();
});

test('C25 – Cancelled by buyer and operator in each state, the gate frees what is held and nothing else', async () => {
  for (const [name, by] of [['buyer', buyer] as const, ['operator', () => operator] as const]) {
    const [held, paid, ended] = [`held-${name}`, `paid-${name}`, `ended-${name}`];
    for (const skuId of [held, paid, ended]) await desk.stock(skuId, 10);
    const [a, b, c] = [await desk.place(one(held, 2)), await desk.place(one(paid, 2)), await desk.place(one(ended, 2))];
    expect(await cancel(a, by(a))).toEqual({ kind: 'closed' });
    await desk.settle();
    expect(await desk.atGate(held)).toEqual({ deducted: 0, holds: 0 });

    await desk.notify(b);
    await desk.settle();
    expect(await cancel(b, by(b))).toMatchObject({ code: 'ALREADY_PAID' });
    await desk.settle();
    expect(await desk.atGate(paid)).toEqual({ deducted: 2, holds: 0 });
    expect(await readStock(desk.pool, paid)).toMatchObject({ total: 8 });

    await desk.runOutOfTime(c);
    expect(await cancel(c, by(c))).toMatchObject({ code: 'ALREADY_CLOSED' });
    await desk.settle();
    expect(await desk.atGate(ended)).toEqual({ deducted: 0, holds: 0 });
  }
});

test('C27 – Orders of one moment, a repeat and two lines of one SKU hold each their own units, and all come back', async () => {
  await desk.stock('moment', 10);
  const same = { key: mint<'key'>(), buyerId: mint<'BuyerId'>() };
  const others = [1, 2].map(() => ({ key: mint<'key'>(), buyerId: mint<'BuyerId'>() }));
  const answers = await Promise.all([
    desk.order(one('moment', 2), same),
    desk.order(one('moment', 2), same),
    desk.order(one('moment', 2), others[0]),
    desk.order([...one('moment', 2), ...one('moment', 2)], others[1]),
  ]);
  const trades = new Set(answers.map((answer) => answer.tradeId ?? answer.kind));
  expect(trades.size).toBe(3);
  const page = await desk.gate.readHolds({ shopId: 'S1', skuId: 'moment' }, 0, 10);
  if (page.kind !== 'read') throw new Error(page.why);
  expect(page.deducted).toBe(8);
  expect(page.holds.reduce((units, hold) => units + hold.quantity, 0)).toBe(8);
  expect(new Set(page.holds.map((hold) => hold.reservationId)).size).toBe(page.holds.length);
  await desk.settle();
  for (const tradeId of trades) await cancel({ tradeId }, operator);
  await desk.settle();
  expect(await desk.atGate('moment')).toEqual({ deducted: 0, holds: 0 });
});

test('C04 – One SKU code in two shops is two SKUs', async () => {
  await desk.stock('both', 5, 'S1');
  await desk.stock('both', 5, 'S2');
  const lines = ['S1', 'S2'].map((shopId) => ({ skuId: 'both', quantity: 3, shopId }));
  expect(await desk.order(lines)).toMatchObject({ kind: 'placed' });
  for (const shopId of ['S1', 'S2']) expect(await desk.atGate('both', shopId)).toEqual({ deducted: 3, holds: 1 });
  await desk.settle();
});
