import { afterAll, beforeAll, expect, test } from 'vitest';
import { mint } from '../domain/index.ts';
import { createMetrics, createWaker, type Pool, silentLog } from '../platform/index.ts';
import { sweepGhostHolds } from '../reconcile/index.ts';
import { setClockOffset } from '../testing/clock.ts';
import { deliverEvents } from '../testing/deliver-events.ts';
import { neverRuns, watchPool } from '../testing/io/index.ts';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';
import { cancelOrder } from './cancel-order.ts';
import { createPlaceOrderDeps } from './order-desk.ts';
import { judgeNotices } from './payment/judge-notices.ts';
import { openPaymentDesk } from './payment/payment-desk.testing.ts';
import { startPayment } from './payment/start-payment.ts';
import { placeOrder } from './place-order.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop('repeat_finished');
});
afterAll(() => shop.close());

/** More faults than a repeat has queries: the loops below must end before. */
const MOST_STEPS = 60;

/** All that stands of an order, everywhere. */
async function readRows(pool: Pool, tradeId: string): Promise<unknown> {
  const { rows } = await pool.query(
    `SELECT to_jsonb(t) AS trade, to_jsonb(p) AS intent,
       (SELECT jsonb_agg(to_jsonb(s) ORDER BY s.id) FROM tinystore_order.shop_order s WHERE s.trade_id = t.id) AS shop_orders,
       (SELECT jsonb_agg(to_jsonb(h) ORDER BY h.reservation_id) FROM tinystore_order.order_line_hold h WHERE h.trade_id = t.id) AS holds,
       (SELECT jsonb_agg(to_jsonb(r) ORDER BY r.reservation_id) FROM tinystore_inventory.inventory_reservation r WHERE r.trade_id = t.id) AS rows,
       (SELECT jsonb_agg(to_jsonb(v) ORDER BY v.shop_id, v.sku_id) FROM tinystore_inventory.inventory_stock v) AS stock,
       (SELECT count(*) FROM tinystore_inventory.stock_movement) AS movements,
       (SELECT count(*) FROM tinystore_order.refund) AS refunds, (SELECT count(*) FROM tinystore_order.late_payment) AS late,
       (SELECT count(*) FROM tinystore_order.trade) AS trades,
       (SELECT count(*) FROM tinystore_order.outbox_event WHERE type IN ('INVENTORY_RELEASE', 'TRADE_CLOSED')) AS releases
     FROM tinystore_order.trade t JOIN tinystore_order.payment_intent p ON p.trade_id = t.id WHERE t.id = $1`,
    [tradeId],
  );
  return rows[0];
}

/** Calls `again` with each of its calls of the database lost in turn, and once with none; answers how many were lost. */
async function eachStepLost(pool: Pool, again: (pool: Pool) => Promise<unknown>): Promise<number> {
  for (let step = 0; step < MOST_STEPS; step++) {
    const { io, met } = neverRuns(step);
    await again(watchPool(pool, io)).catch(() => undefined);
    if (!met()) return step;
  }
  throw new Error(`a repeat makes more than ${MOST_STEPS} calls`);
}

test('C17 – placing a finished order again never undoes it, whichever step of the repeat fails', async () => {
  await shop.stock('K1', 10);
  const same = { key: mint<'key'>(), buyerId: mint<'BuyerId'>() };
  const lines = [{ skuId: 'K1', quantity: 2 }];
  const first = await shop.order(lines, same);
  if (first.kind !== 'placed') throw new Error(first.message);
  await deliverEvents(shop.pool);
  await shop.pool.query(
    `INSERT INTO tinystore_order.payment_event (event_id, intent_ref, trade_id, kind, attempt, amount_minor, currency, payload)
     SELECT $2, p.id::text, t.id, 'SUCCEEDED', 1, t.total_minor, t.currency, '{}'
     FROM tinystore_order.trade t JOIN tinystore_order.payment_intent p ON p.trade_id = t.id WHERE t.id = $1`,
    [first.tradeId, `evt_${mint()}`],
  );
  await judgeNotices({ pool: shop.pool, log: silentLog, waker: { wake: () => undefined } }, { limit: 10 });
  await deliverEvents(shop.pool);
  await shop.gatekeeper.runOnce();
  const saved = await readRows(shop.pool, first.tradeId);
  const command = {
    ...same,
    traceId: 'test',
    lines: [{ shopId: 'S1', skuId: 'K1', quantity: 2, unitPriceMinor: 1999 }],
  };
  const lost = await eachStepLost(shop.pool, async (pool) => {
    // Redis has forgotten the answer, so that the repeat goes its whole way.
    await shop.redis.del(`order:attempt:{${same.buyerId}}:${same.key}`);
    const parts = {
      redis: shop.redis,
      gate: shop.gate,
      config: shop.config,
      log: silentLog,
      waker: createWaker(shop.redis),
    };
    await placeOrder(createPlaceOrderDeps({ ...parts, pool, metrics: createMetrics('repeat') }), command);
  });
  expect(lost).toBeGreaterThan(0);
  await deliverEvents(shop.pool);
  // A take whose commit was lost with its memory is a ghost: the sweep gives it back, and nothing else (P17).
  await setClockOffset(shop.pool, 61_000);
  await shop.gate.refresh();
  const ages = { proofAgeMs: 60_000, incidentAgeMs: 1_800_000 };
  await sweepGhostHolds({ pool: shop.pool, gate: shop.gate, log: silentLog, waker: createWaker(shop.redis), ...ages });
  await setClockOffset(shop.pool, 0);
  await shop.gate.refresh();
  expect(await readRows(shop.pool, first.tradeId)).toEqual(saved);
  expect(await shop.gate.read([{ shopId: 'S1', skuId: 'K1' }])).toMatchObject([
    { total: 10, deducted: 2, holdCount: 0 },
  ]);
  expect(await shop.order(lines, same)).toMatchObject({ kind: 'placed', tradeId: first.tradeId, repeated: true });
});

test('C17 – paying or cancelling a finished order again never undoes it, whichever step of the repeat fails', async () => {
  const desk = await openPaymentDesk('repeat_paid');
  try {
    const trade = await desk.trade({ quantity: 2 });
    const notice = { id: `evt_${mint()}` };
    await desk.notify(trade, notice);
    await deliverEvents(desk.pool);
    const saved = await readRows(desk.pool, trade.tradeId);
    const { tradeId, buyerId } = trade;
    const repeats: ((pool: Pool) => Promise<unknown>)[] = [
      (pool) => startPayment({ ...desk.deps, pool }, { tradeId, buyerId }),
      (pool) => desk.notify(trade, notice, { ...desk.deps, pool }),
      (pool) => cancelOrder({ ...desk.deps, pool }, { tradeId, by: { kind: 'buyer', buyerId } }),
    ];
    for (const repeat of repeats) expect(await eachStepLost(desk.pool, repeat)).toBeGreaterThan(0);
    await deliverEvents(desk.pool);
    expect(await readRows(desk.pool, tradeId)).toEqual(saved);
    expect(await startPayment(desk.deps, { tradeId, buyerId })).toMatchObject({ code: 'ALREADY_PAID' });
  } finally {
    await desk.close();
  }
});
