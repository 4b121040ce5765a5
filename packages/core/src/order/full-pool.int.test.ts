import { afterAll, beforeAll, expect, test } from 'vitest';
import { mint } from '../domain/index.ts';
import { createPool, isDatabaseError, type Pool } from '../platform/index.ts';
import { checkInvariants } from '../testing/invariants.ts';
import { TEST_PRICE_MINOR } from '../testing/put-on-sale.ts';
import { PATIENT } from '../testing/test-config.ts';
import { cancelOrder } from './cancel-order.ts';
import { createPlaceOrderDeps } from './order-desk.ts';
import { type LateMoneyDesk, openLateMoneyDesk, type PlacedOrder } from './payment/late/late-money-desk.testing.ts';
import { sendNotice } from './payment/payment-desk.testing.ts';
import { startPayment } from './payment/start-payment.ts';
import { placeOrder } from './place-order.ts';

const STOCK = 100;
const POOL_SIZE = 5;
let desk: LateMoneyDesk;
let small: Pool;
beforeAll(async () => {
  desk = await openLateMoneyDesk('full_pool', PATIENT);
  small = createPool({ url: desk.databaseUrl, name: 'small', max: POOL_SIZE });
});
afterAll(async () => {
  await small.end();
  await desk.close();
});

/** What a request that came to an end was told. What the database throws is BUSY at the edge (P33). */
const outcomeOf = (request: Promise<{ kind: string; code?: string }>) =>
  request.then(
    (answer) => answer.code ?? answer.kind,
    (error: unknown) => (isDatabaseError(error) ? 'BUSY' : `thrown ${String(error)}`),
  );
const TYPED = /^(placed|paid|closed|stored|BUSY|OUTCOME_UNKNOWN|GATE_CLOSED)$/;

test.each([POOL_SIZE, POOL_SIZE + 1, 50])(
  'C37 – %i orders, payments and cancels at once over 5 connections each end well or "busy", and nothing stays held for nothing',
  async (count) => {
    const [fresh, known] = [`fresh-${count}`, `known-${count}`];
    await desk.stock(fresh, STOCK);
    await desk.stock(known, STOCK);
    const toPay = await placeMany(known, count);
    const toCancel = await placeMany(known, count);
    const deps = { ...desk.deps, pool: small };
    const ordering = createPlaceOrderDeps({ ...desk.desk, pool: small });
    const pay = async (order: PlacedOrder) => {
      const started = await startPayment(deps, order);
      return started.kind === 'started' ? sendNotice(deps, order, {}) : started;
    };
    const cancel = ({ tradeId, buyerId }: PlacedOrder) =>
      cancelOrder(deps, { tradeId, by: { kind: 'buyer', buyerId } });
    const order = () =>
      placeOrder(ordering, {
        key: mint<'key'>(),
        buyerId: mint<'BuyerId'>(),
        traceId: 'test',
        lines: [{ shopId: 'S1', skuId: fresh, quantity: 1, unitPriceMinor: TEST_PRICE_MINOR }],
      });

    const [placed, paid, cancelled] = await Promise.all([
      Promise.all(toPay.map(() => outcomeOf(order()))),
      Promise.all(toPay.map((one) => outcomeOf(pay(one)))),
      Promise.all(toCancel.map((one) => outcomeOf(cancel(one)))),
    ]);
    expect([...placed, ...paid, ...cancelled].filter((outcome) => !TYPED.test(outcome))).toEqual([]);
    expect(placed.filter((outcome) => outcome === 'placed').length).toBeGreaterThan(0);

    await desk.settle();
    expect(await checkInvariants({ pool: desk.pool, gate: desk.gate })).toEqual([]);
    const { rows } = await desk.pool.query<{ orders: number }>(
      'SELECT count(*) AS orders FROM tinystore_order.order_line_hold WHERE sku_id = $1',
      [fresh],
    );
    expect(await desk.atGate(fresh)).toEqual({ deducted: rows[0]?.orders, holds: rows[0]?.orders });
  },
);

/** Over connections that are not scarce, recorded in the ledger. */
async function placeMany(skuId: string, count: number): Promise<PlacedOrder[]> {
  const orders: PlacedOrder[] = [];
  while (orders.length < count) orders.push(await desk.place([{ skuId, quantity: 1 }]));
  return orders;
}
