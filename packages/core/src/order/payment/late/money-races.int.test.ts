import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelOrder } from '../../cancel-order.ts';
import { endByTime } from '../../end-by-time.ts';
import { sendRefunds } from '../../refund/send-refunds.ts';
import { readStock, setPayUntil } from '../payment-desk.testing.ts';
import { type LateMoneyDesk, openLateMoneyDesk, type PlacedOrder } from './late-money-desk.testing.ts';
import { settleLateMoney } from './settle-late-money.ts';

let desk: LateMoneyDesk;
beforeAll(async () => {
  desk = await openLateMoneyDesk('money_races');
});
afterAll(() => desk.close());

/** Scaled from 500 rounds to 60; every round goes on to the end of its money. */
const ROUNDS = 60;

test('C02 – pay, cancel and expiry at one instant: one end each, and money that lost is never kept', async () => {
  await desk.stock('race', ROUNDS);
  const orders: PlacedOrder[] = [];
  while (orders.length < ROUNDS) orders.push(await desk.place([{ skuId: 'race', quantity: 1 }]));
  await Promise.all(orders.map((order, n) => setPayUntil(desk.pool, order.tradeId, n % 3 === 0 ? 60_000 : -1)));
  await Promise.all(
    orders.flatMap((order) => [
      desk.notify(order),
      cancelOrder(desk.deps, { tradeId: order.tradeId, by: { kind: 'buyer', buyerId: order.buyerId } }),
      endByTime(desk.deps, { limit: 5 }),
    ]),
  );
  await desk.settle();
  await desk.runJob();
  await desk.runJob();
  await desk.moneyIsBack();
  await desk.runJob();
  let paid = 0;
  for (const order of orders) {
    const { trade, late } = await desk.books(order);
    if (trade === 'PAID') paid += 1;
    const ends = trade === 'PAID' ? [[], ['LATE REVIVED']] : [['LATE REFUNDED']];
    expect(ends).toContainEqual(late);
  }
  expect(paid).toBeGreaterThan(0);
  expect(await readStock(desk.pool, 'race')).toEqual({ total: ROUNDS - paid, reserved: 0, confirmed: paid });
  expect(await desk.atGate('race')).toEqual({ deducted: paid, holds: 0 });
});

test('C01 – thirty late payments for ten units that are left: ten orders are revived, twenty get their money back', async () => {
  await desk.stock('scarce', 30);
  const orders: PlacedOrder[] = [];
  while (orders.length < 30) orders.push(await desk.place([{ skuId: 'scarce', quantity: 1 }]));
  for (const order of orders) await setPayUntil(desk.pool, order.tradeId, -1);
  await endByTime(desk.deps, { limit: 100 });
  await desk.settle();
  const others = await Promise.all(Array.from({ length: 4 }, () => desk.place([{ skuId: 'scarce', quantity: 5 }])));
  await Promise.all(orders.map((order) => desk.notify(order)));
  // Each claims its own: a payment that two attempts try at once would hold two of the ten for a moment.
  await Promise.all(Array.from({ length: 3 }, () => settleLateMoney(desk.deps, { limit: 100 })));
  await desk.settle();
  const ends = await Promise.all(orders.map(async (order) => (await desk.books(order)).late.join()));
  expect(ends.filter((end) => end === 'LATE REVIVED')).toHaveLength(10);
  expect(ends.filter((end) => end === 'LATE REFUND_DUE')).toHaveLength(20);
  expect(others).toHaveLength(4);
  expect(await desk.atGate('scarce')).toEqual({ deducted: 30, holds: 4 });
});

test('P28 – an attempt that was paused does not give back the money with which a later one revives the order', async () => {
  await desk.stock('paused', 1);
  const a = await desk.place([{ skuId: 'paused', quantity: 1 }]);
  await desk.runOutOfTime(a);
  const b = await desk.place([{ skuId: 'paused', quantity: 1 }]);
  await desk.notify(a);
  const first = pauseAfterTake();
  const older = desk.runJob({ stopAt: first.stopAt });
  await first.reached;
  // The first attempt has been told "sold out"; before it acts on that the unit comes back.
  await cancelOrder(desk.deps, { tradeId: b.tradeId, by: { kind: 'buyer', buyerId: b.buyerId } });
  await desk.settle();
  const second = pauseAfterTake();
  const newer = desk.runJob({ stopAt: second.stopAt });
  await second.reached;
  first.goOn();
  await older;
  second.goOn();
  expect(await newer).toMatchObject({ revived: 1 });
  expect(await desk.books(a)).toMatchObject({ trade: 'PAID', late: ['LATE REVIVED'] });
  expect(await desk.atGate('paused')).toEqual({ deducted: 1, holds: 0 });
});

function pauseAfterTake() {
  const reached = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const stopAt = async (point: string) => {
    if (point !== 'late-money.taken') return;
    reached.resolve();
    await goOn.promise;
  };
  return { stopAt, reached: reached.promise, goOn: goOn.resolve };
}

test('P29 – an order whose two payments both came late is REFUNDED when both are back, and not before', async () => {
  await desk.moneyIsBack();
  await desk.stock('twice-late', 1);
  const a = await desk.place([{ skuId: 'twice-late', quantity: 1 }]);
  await desk.runOutOfTime(a);
  await desk.place([{ skuId: 'twice-late', quantity: 1 }]);
  for (let payment = 0; payment < 2; payment++) expect(await desk.notify(a)).toMatchObject({ verdict: 'LATE' });
  const states = () => desk.books(a).then(({ trade, intent }) => ({ trade, intent }));
  const refunds = sendsOneAtATime(desk);

  await desk.runJob();
  expect(await refunds.send()).toBe(1);
  expect(await states()).toEqual({ trade: 'CLOSED', intent: 'SUCCEEDED' });
  await desk.runJob();
  while ((await refunds.send()) > 0) await desk.runJob();
  await desk.runJob();
  expect(await states()).toEqual({ trade: 'REFUNDED', intent: 'REFUNDED' });
  expect((await desk.books(a)).late).toEqual(['LATE REFUNDED', 'LATE REFUNDED']);
});

/** The provider pays each refund back, one a call. */
function sendsOneAtATime({ deps }: LateMoneyDesk) {
  const provider = {
    refund: ({ refundId }: { refundId: string }) =>
      Promise.resolve({ kind: 'succeeded', providerRef: `re_${refundId}` } as const),
    readRefund: () => Promise.resolve({ kind: 'unknown' } as const),
  };
  return { send: async () => (await sendRefunds({ ...deps, provider }, { limit: 1 })).changed };
}
