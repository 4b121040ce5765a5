import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deliverEvents } from '../testing/deliver-events.ts';
import { cancelOrder } from './cancel-order.ts';
import { endByTime } from './end-by-time.ts';
import {
  openPaymentDesk,
  type PaymentDesk,
  readBooks,
  readStock,
  setPayUntil,
} from './payment/payment-desk.testing.ts';
import { startPayment } from './payment/start-payment.ts';

let desk: PaymentDesk;
beforeAll(async () => {
  desk = await openPaymentDesk('end_by_time');
});
afterAll(() => desk.drop());

describe('C29 – A hold that ended frees its unit though nobody else acts', () => {
  test('recorded rows are EXPIRED at once, a second run and the living change nothing', async () => {
    const living = await desk.trade();
    const due = [await desk.trade({ units: 1 }), await desk.trade({ units: 1 })];
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
    const trades = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        desk.trade().then(async (trade) => {
          await setPayUntil(desk.pool, trade.tradeId, -1000 - at);
          return trade;
        }),
      ),
    );
    await deliverEvents(desk.pool);
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
    const trades = [await desk.trade(), await desk.trade(), await desk.trade()];
    for (const [at, trade] of trades.entries()) await setPayUntil(desk.pool, trade.tradeId, -1000 - at);
    expect(await endByTime(desk.deps, { limit: 2 })).toEqual({ ended: 2, failed: [] });
    const states = await Promise.all(trades.map(async (trade) => (await readBooks(desk.pool, trade.tradeId)).trade));
    expect(states).toEqual(['UNPAID', 'CLOSED', 'CLOSED']);
    expect(await endByTime(desk.deps, { limit: 2 })).toEqual({ ended: 1, failed: [] });
  });
});

describe('C02 – Pay, cancel and expiry on one reservation end in exactly one final state', () => {
  // Scaled: 60 rounds instead of 500; a third each with time left, at the very deadline, and past it.
  test('when all three start at the same instant', async () => {
    for (let round = 0; round < 60; round++) await race([60_000, round % 12, -5][round % 3] ?? 0);
  });

  // Scaled: 3 rounds of 300 ms instead of 20 of 2 s.
  test('when an outside lock on the reservation row makes them wait', async () => {
    for (let round = 0; round < 3; round++) await race([60_000, 5, -5][round] ?? 0, 300);
  });
});

async function race(payUntilFromNowMs: number, lockedMs = 0): Promise<void> {
  const trade = await desk.trade({ units: 1 });
  const by = { kind: 'buyer', buyerId: trade.buyerId } as const;
  expect(await startPayment(desk.deps, trade)).toMatchObject({ kind: 'started' });
  const unlock = await lockRow(trade.reservationIds, lockedMs);
  await setPayUntil(desk.pool, trade.tradeId, payUntilFromNowMs);
  const [paid, cancelled] = await Promise.all([
    desk.notify(trade),
    cancelOrder(desk.deps, { tradeId: trade.tradeId, by }),
    endByTime(desk.deps, { limit: 100 }),
    endByTime(desk.deps, { limit: 100 }),
    unlock,
  ]);
  await deliverEvents(desk.pool);
  await endByTime(desk.deps, { limit: 100 });

  const books = await readBooks(desk.pool, trade.tradeId);
  const { rows: effects } = await desk.pool.query(
    'SELECT kind FROM tinystore_inventory.gate_effect WHERE sku_id = $1',
    [trade.skuId],
  );
  const again = await cancelOrder(desk.deps, { tradeId: trade.tradeId, by });
  if (books.trade === 'PAID') {
    expect(books).toMatchObject({
      intent: 'SUCCEEDED',
      shopOrders: ['CONFIRMED'],
      rows: ['CONFIRMED'],
      openOrders: 0,
      latePayments: [],
    });
    expect({ paid, cancelled, again, effects }).toMatchObject({
      paid: { verdict: 'PAID' },
      cancelled: { code: 'ALREADY_PAID' },
      again: { code: 'ALREADY_PAID' },
      effects: [{ kind: 'SETTLE' }],
    });
    expect(await readStock(desk.pool, trade.skuId)).toEqual({ total: 0, reserved: 0, confirmed: 1 });
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
  expect({ paid, effects }).toMatchObject({ paid: { verdict: 'LATE' }, effects: [{ kind: 'GIVE_BACK' }] });
  for (const answer of [cancelled, again])
    expect(answer).toMatchObject(byBuyer ? { kind: 'closed' } : { code: 'ALREADY_CLOSED' });
  expect(await readStock(desk.pool, trade.skuId)).toEqual({ total: 1, reserved: 0, confirmed: 0 });
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
async function lockRow(reservationIds: readonly string[], lockedMs: number): Promise<Promise<void>[]> {
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
