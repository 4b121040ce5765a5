/**
 * Races of confirm, cancel and end by time over the same trades, at the edge of their time to pay: each trade gets its
 * money, its buyer's cancel and the job at the same instant, while the ledger confirms whole batches beside them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { mint } from '../domain/index.ts';
import type { Pool } from '../platform/index.ts';
import { deliverEvents } from '../testing/deliver-events.ts';
import { placeTestTrade, putInLedger, type TestTrade } from '../testing/unpaid-trade.ts';
import { cancelOrder } from './cancel-order.ts';
import { endByTime } from './end-by-time.ts';
import type { PaymentDesk } from './payment/payment-desk.testing.ts';

const BATCH = 100;
/** Racers beside each other, fewer than the pool has connections. */
const ABREAST = 7;
/** The time to pay of a batch ends somewhere in here. */
const EDGE_MS = 600;

export interface Winners {
  readonly confirmed: number;
  readonly cancelled: number;
  readonly timedOut: number;
}

/** @throws when a trade has no winner, two, or money that is neither its own nor due back */
export async function raceTrades(desk: PaymentDesk, races: number): Promise<Winners> {
  const winners = { confirmed: 0, cancelled: 0, timedOut: 0 };
  for (let left = races; left > 0; left -= BATCH) {
    const trades = await placeBatch(desk.pool, Math.min(BATCH, left));
    await raceBatch(desk, trades);
    const ends = await judge(desk.pool, trades);
    for (const winner of ends) winners[winner]++;
    await judgeStock(desk.pool, trades, ends);
  }
  return winners;
}

/** All of one SKU, which has just enough for them. */
async function placeBatch(pool: Pool, count: number): Promise<TestTrade[]> {
  const sku = { shopId: 'S1', skuId: mint<'SkuId'>() };
  await putInLedger(pool, [{ ...sku, units: count }]);
  const trades = await Promise.all(
    Array.from({ length: count }, () => placeTestTrade(pool, { lines: [{ ...sku, quantity: 1 }] })),
  );
  await deliverEvents(pool);
  return trades;
}

async function raceBatch(desk: PaymentDesk, trades: readonly TestTrade[]): Promise<void> {
  const { pool, deps } = desk;
  await pool.query(
    `UPDATE tinystore_order.trade SET pay_until = ops.clock_now() + make_interval(secs => random() * $2 / 1000.0) WHERE id = ANY($1::uuid[])`,
    [trades.map((trade) => trade.tradeId), EDGE_MS],
  );
  const queue = trades.flatMap((trade) =>
    shuffled<() => Promise<unknown>>([
      () => desk.notify(trade),
      // Not every buyer changes their mind, else nobody's time would ever run out.
      () =>
        Math.random() < 0.4
          ? cancelOrder(deps, { tradeId: trade.tradeId, by: { kind: 'buyer', buyerId: trade.buyerId } })
          : endByTime(deps, { limit: 3 }),
      () => endByTime(deps, { limit: 3 }),
    ]),
  );
  let racing = true;
  const runner = async () => {
    for (let racer = queue.shift(); racer; racer = queue.shift()) await racer();
  };
  const ledger = async () => {
    for (; racing; await sleep(1)) await deliverEvents(pool);
  };
  const beside = ledger();
  await Promise.all(Array.from({ length: ABREAST }, runner)).finally(() => {
    racing = false;
  });
  await beside;
  await endByTime(deps, { limit: BATCH });
  await deliverEvents(pool);
}

/** One winner each, and the same one in every book. */
async function judge(pool: Pool, trades: readonly TestTrade[]): Promise<(keyof Winners)[]> {
  const { rows } = await pool.query<{ state: string }>(
    `SELECT concat_ws(' ', t.status, t.close_reason, so.status, r.status, e.verdict, l.cause, string_agg(f.kind, '+')) AS state
     FROM tinystore_order.trade t
     JOIN tinystore_order.shop_order so ON so.trade_id = t.id
     JOIN tinystore_inventory.inventory_reservation r ON r.trade_id = t.id
     JOIN tinystore_inventory.gate_effect f ON f.reservation_id = r.reservation_id
     JOIN tinystore_order.payment_event e ON e.trade_id = t.id
     LEFT JOIN tinystore_order.late_payment l ON l.event_id = e.event_id
     WHERE t.id = ANY($1::uuid[]) GROUP BY t.id, so.id, r.reservation_id, e.event_id, l.event_id`,
    [trades.map((trade) => trade.tradeId)],
  );
  if (rows.length !== trades.length) throw new Error(`${rows.length} ends of ${trades.length} races`);
  return rows.map(({ state }) => {
    const winner = ENDS[state];
    if (!winner) throw new Error(`a race ended as ${state}`);
    return winner;
  });
}

/** Trade, reason, shop order, reservation, what became of the money, and the one effect at the gate. */
const ENDS: Record<string, keyof Winners> = {
  'PAID CONFIRMED CONFIRMED PAID SETTLE': 'confirmed',
  'CLOSED BUYER_CANCELLED RELEASED RELEASED LATE LATE GIVE_BACK': 'cancelled',
  'CLOSED TIMED_OUT RELEASED EXPIRED LATE LATE GIVE_BACK': 'timedOut',
};

async function judgeStock(pool: Pool, trades: readonly TestTrade[], ends: readonly (keyof Winners)[]): Promise<void> {
  const sold = ends.filter((end) => end === 'confirmed').length;
  const { rows } = await pool.query<{ figures: string }>(
    `SELECT DISTINCT concat_ws('/', s.total_quantity, s.reserved_quantity, s.confirmed_quantity) AS figures
     FROM tinystore_order.order_line_hold h JOIN tinystore_inventory.inventory_stock s USING (shop_id, sku_id)
     WHERE h.trade_id = ANY($1::uuid[])`,
    [trades.map((trade) => trade.tradeId)],
  );
  const figures = rows.map((row) => row.figures).join();
  const wanted = `${trades.length - sold}/0/${sold}`;
  if (figures !== wanted) throw new Error(`the stock is ${figures} after ${sold} of ${trades.length} were sold`);
}

function shuffled<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
