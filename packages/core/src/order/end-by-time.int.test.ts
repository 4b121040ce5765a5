import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deliverEvents } from '../testing/deliver-events.ts';
import { cancelOrder } from './cancel-order.ts';
import { endByTime } from './end-by-time.ts';
import {
  type DeskTrade,
  openPaymentDesk,
  type PaymentDesk,
  readBooks,
  readStock,
  setPayUntil,
} from './payment/payment-desk.testing.ts';
import type { NoticeReceipt } from './payment/receive-notice.ts';
import { startPayment } from './payment/start-payment.ts';

let desk: PaymentDesk;
beforeAll(async () => {
  desk = await openPaymentDesk('end_by_time');
});
afterAll(() => desk.close());

describe('C29 – A hold that ended frees its unit though nobody else acts', () => {
  test('recorded rows are EXPIRED at once, a second run and the living change nothing', async () => {
    const living = await desk.trade();
    const due = await desk.trades(2, { units: 1 });
    for (const trade of due) await setPayUntil(desk.pool, trade.tradeId, -1000);
    const runs = await Promise.all([endByTime(desk.deps, { limit: 100 }), endByTime(desk.deps, { limit: 100 })]);
    expect(runs.reduce((sum, run) => sum + run.ended, 0)).toBe(2);
    for (const trade of due) {
      expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({
        trade: 'CLOSED',
        closeReason: 'TIMED_OUT',
        intent: 'CLOSED',
        shopOrders: ['RELEASED'],
        rows: ['EXPIRED'],
      });
      expect(await readStock(desk.pool, trade.skuId)).toEqual({ total: 1, reserved: 0, confirmed: 0 });
      const { rows } = await desk.pool.query('SELECT kind FROM tinystore_inventory.gate_effect WHERE sku_id = $1', [
        trade.skuId,
      ]);
      expect(rows).toEqual([{ kind: 'GIVE_BACK' }]);
    }
    await deliverEvents(desk.pool);
    expect(await readBooks(desk.pool, living.tradeId)).toMatchObject({
      trade: 'UNPAID',
      rows: ['PRE_DEDUCTED'],
      openOrders: 1,
    });
    expect(await endByTime(desk.deps, { limit: 100 })).toEqual({ ended: 0, failed: [] });
  });

  test('a line without a row is released by its tombstone', async () => {
    const trade = await desk.trade({ shops: ['S1', 'S2'], recorded: false });
    await setPayUntil(desk.pool, trade.tradeId, -1000);
    expect(await endByTime(desk.deps, { limit: 100 })).toEqual({ ended: 1, failed: [] });
    expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({
      trade: 'CLOSED',
      shopOrders: ['RELEASING', 'RELEASING'],
      rows: [],
    });
    await deliverEvents(desk.pool);
    const books = await readBooks(desk.pool, trade.tradeId);
    expect(books).toMatchObject({
      shopOrders: ['RELEASED', 'RELEASED'],
      rows: ['RELEASED', 'RELEASED'],
      openOrders: 0,
    });
    expect(await readStock(desk.pool, trade.skuId)).toEqual({ total: 10, reserved: 0, confirmed: 0 });
  });

  test('of many ended holds, one whose row is locked fails alone, is reported, and ends in a later run', async () => {
    const trades = await desk.trades(12);
    for (const [at, trade] of trades.entries()) await setPayUntil(desk.pool, trade.tradeId, -1000 * (at + 1));
    const bad = trades[5];
    const impatient = desk.impatient(100);
    const holder = await desk.pool.connect();
    await holder.query('BEGIN');
    await holder.query(
      'SELECT 1 FROM tinystore_inventory.inventory_reservation WHERE reservation_id = ANY($1::uuid[]) FOR UPDATE',
      [bad?.reservationIds],
    );
    expect(await endByTime(impatient.deps, { limit: 100 })).toEqual({ ended: 11, failed: [bad?.tradeId] });
    await holder.query('ROLLBACK');
    holder.release();
    expect(await endByTime(impatient.deps, { limit: 100 })).toEqual({ ended: 1, failed: [] });
    await impatient.end();
  });

  test('the limit ends the oldest first and leaves the rest for the next run', async () => {
    const trades = await desk.trades(3);
    for (const [at, trade] of trades.entries()) await setPayUntil(desk.pool, trade.tradeId, -1000 * (at + 1));
    expect(await endByTime(desk.deps, { limit: 2 })).toEqual({ ended: 2, failed: [] });
    const states = await Promise.all(trades.map(async (trade) => (await readBooks(desk.pool, trade.tradeId)).trade));
    expect(states).toEqual(['UNPAID', 'CLOSED', 'CLOSED']);
    expect(await endByTime(desk.deps, { limit: 2 })).toEqual({ ended: 1, failed: [] });
  });
});

describe('C02 – Pay, cancel and expiry on one reservation end in exactly one final state', () => {
  // Scaled: 60 rounds instead of 500, three at once: one with time left, one at the very deadline, one past it.
  test('when all three start at the same instant', async () => {
    for (let round = 0; round < 20; round++) await race([60_000, round, -5]);
  });

  // Scaled: once for 300 ms instead of 20 rounds of 2 s.
  test('when an outside lock on the reservation row makes them wait', async () => {
    await race([60_000, 5, -5], 300);
  });
});

async function race(payUntilFromNowMs: readonly number[], lockedMs = 0): Promise<void> {
  const trades = await desk.trades(payUntilFromNowMs.length, { units: 1 });
  for (const trade of trades) expect(await startPayment(desk.deps, trade)).toMatchObject({ kind: 'started' });
  const unlocked = await lockRows(
    trades.flatMap((trade) => trade.reservationIds),
    lockedMs,
  );
  for (const [at, trade] of trades.entries()) await setPayUntil(desk.pool, trade.tradeId, payUntilFromNowMs[at] ?? 0);
  const expiry = endByTime(desk.deps, { limit: 100 });
  const answers = await Promise.all(
    trades.map(async (trade) => {
      const [paid, cancelled] = await Promise.all([desk.notify(trade), cancelOrder(desk.deps, cancelOf(trade))]);
      return { trade, paid, cancelled };
    }),
  );
  await Promise.all([expiry, ...unlocked]);
  await endByTime(desk.deps, { limit: 100 });
  await deliverEvents(desk.pool);
  for (const answer of answers) await checkOneEnd(answer);
}

const cancelOf = (trade: DeskTrade) =>
  ({ tradeId: trade.tradeId, by: { kind: 'buyer', buyerId: trade.buyerId } }) as const;

async function checkOneEnd({
  trade,
  paid,
  cancelled,
}: {
  trade: DeskTrade;
  paid: NoticeReceipt;
  cancelled: Awaited<ReturnType<typeof cancelOrder>>;
}): Promise<void> {
  const books = await readBooks(desk.pool, trade.tradeId);
  const { rows: effects } = await desk.pool.query(
    'SELECT kind FROM tinystore_inventory.gate_effect WHERE sku_id = $1',
    [trade.skuId],
  );
  const again = await cancelOrder(desk.deps, cancelOf(trade));
  const stock = await readStock(desk.pool, trade.skuId);
  if (books.trade === 'PAID') {
    expect(books).toMatchObject({
      intent: 'SUCCEEDED',
      shopOrders: ['CONFIRMED'],
      rows: ['CONFIRMED'],
      openOrders: 0,
      latePayments: [],
    });
    expect({ paid, cancelled, again, effects, stock }).toMatchObject({
      paid: { verdict: 'PAID' },
      cancelled: { code: 'ALREADY_PAID' },
      again: { code: 'ALREADY_PAID' },
      effects: [{ kind: 'SETTLE' }],
      stock: { total: 0, reserved: 0, confirmed: 1 },
    });
    return;
  }
  const byBuyer = books.closeReason === 'BUYER_CANCELLED';
  expect(books).toEqual({
    trade: 'CLOSED',
    closeReason: byBuyer ? 'BUYER_CANCELLED' : 'TIMED_OUT',
    intent: 'SUCCEEDED',
    shopOrders: ['RELEASED'],
    rows: [byBuyer ? 'RELEASED' : 'EXPIRED'],
    openOrders: 0,
    latePayments: ['LATE'],
  });
  const cancelAnswer = byBuyer ? { kind: 'closed' } : { code: 'ALREADY_CLOSED' };
  expect({ paid, cancelled, again, effects, stock }).toMatchObject({
    paid: { verdict: 'LATE' },
    cancelled: cancelAnswer,
    again: cancelAnswer,
    effects: [{ kind: 'GIVE_BACK' }],
    stock: { total: 1, reserved: 0, confirmed: 0 },
  });
  if (!byBuyer) expect(await wasInTime(trade.tradeId)).toBe(false);
}

async function wasInTime(tradeId: string): Promise<boolean> {
  const {
    rows: [row],
  } = await desk.pool.query<{ inTime: boolean }>(
    `SELECT bool_or(e.received_at <= t.pay_until) AS "inTime" FROM tinystore_order.payment_event e
     JOIN tinystore_order.trade t ON t.id = e.trade_id WHERE t.id = $1`,
    [tradeId],
  );
  return row?.inTime === true;
}

/** Locks the rows and answers a promise that has let them go again. */
async function lockRows(reservationIds: readonly string[], lockedMs: number): Promise<Promise<void>[]> {
  if (lockedMs === 0) return [];
  const holder = await desk.pool.connect();
  await holder.query('BEGIN');
  await holder.query(
    'SELECT 1 FROM tinystore_inventory.inventory_reservation WHERE reservation_id = ANY($1::uuid[]) FOR UPDATE',
    [reservationIds],
  );
  return [
    (async () => {
      await holder.query('SELECT pg_sleep($1)', [lockedMs / 1000]);
      await holder.query('ROLLBACK');
      holder.release();
    })(),
  ];
}
