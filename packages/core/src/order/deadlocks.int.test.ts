import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPool } from '../platform/index.ts';
import { countDeadlocks } from '../testing/count-deadlocks.ts';
import { deliverNext } from '../testing/deliver-events.ts';
import { checkInvariants } from '../testing/invariants.ts';
import { PATIENT } from '../testing/test-config.ts';
import { until } from '../testing/until.ts';
import { cancelOrder } from './cancel-order.ts';
import { endByTime } from './end-by-time.ts';
import { type LateMoneyDesk, openLateMoneyDesk, type PlacedOrder } from './payment/late/late-money-desk.testing.ts';
import { readStock, setPayUntil } from './payment/payment-desk.testing.ts';

let desk: LateMoneyDesk;
beforeAll(async () => {
  desk = await openLateMoneyDesk('deadlocks', PATIENT);
  await desk.stock('A', 200);
  await desk.stock('B', 200);
});
afterAll(() => desk.close());

/** Racers side by side, each in a transaction of its own. */
const ABREAST = 8;

test('C44 – Orders with the same lines in another sequence do not deadlock, however they end side by side', async () => {
  const orders: PlacedOrder[] = [];
  while (orders.length < 200) {
    const skus = orders.length % 2 === 0 ? ['A', 'B'] : ['B', 'A'];
    orders.push(await desk.place(skus.map((skuId) => ({ skuId, quantity: 1 }))));
  }
  const [paid, late, cancelled] = [orders.slice(0, 100), orders.slice(100, 150), orders.slice(150)];
  for (const order of paid) await desk.notify(order);
  for (const order of late) await setPayUntil(desk.pool, order.tradeId, -1);

  await race([
    ...paid.map(() => deliverNext),
    ...cancelled.map(({ tradeId }) => (pool: Racers) => {
      const by = { kind: 'operator', name: 'otto', reason: 'sale called off' } as const;
      return cancelOrder({ ...desk.deps, pool }, { tradeId, by });
    }),
    ...late.map(() => (pool: Racers) => endByTime({ ...desk.deps, pool }, { limit: 5 })),
    ...orders.map(() => deliverNext),
  ]);
  expect(await countDeadlocks(desk.pool)).toBe(0);

  await desk.settle();
  const { rows } = await desk.pool.query(
    `SELECT sku_id AS sku, status, count(*) AS n FROM tinystore_inventory.inventory_reservation GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  expect(rows).toEqual(
    ['A', 'B'].flatMap((sku) => [
      { sku, status: 'CONFIRMED', n: 100 },
      { sku, status: 'EXPIRED', n: 50 },
      { sku, status: 'RELEASED', n: 50 },
    ]),
  );
  for (const skuId of ['A', 'B']) {
    expect(await readStock(desk.pool, skuId)).toEqual({ total: 100, reserved: 0, confirmed: 100 });
    expect(await desk.atGate(skuId)).toEqual({ deducted: 100, holds: 0 });
  }
  expect(await checkInvariants({ pool: desk.pool, gate: desk.gate })).toEqual([]);
}, 180_000);

type Racers = ReturnType<typeof createPool>;

/** In connections of their own, which have ended when it returns: what the server counted of them is handed in. */
async function race(work: readonly ((pool: Racers) => Promise<unknown>)[]): Promise<void> {
  const name = 'deadlock racers';
  const pool = createPool({
    url: desk.databaseUrl,
    name,
    max: ABREAST,
    lockTimeoutMs: 20_000,
    statementTimeoutMs: 30_000,
  });
  const queue = shuffled(work);
  const runner = async () => {
    for (let racer = queue.shift(); racer; racer = queue.shift()) await racer(pool);
  };
  await Promise.all(Array.from({ length: ABREAST }, runner));
  await pool.end();
  const sessions = 'SELECT FROM pg_stat_activity WHERE application_name = $1';
  await until('the racers are gone', async () => (await desk.pool.query(sessions, [name])).rowCount === 0);
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
