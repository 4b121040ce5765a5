import { afterEach, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '../platform/index.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { placeTestTrade, putInLedger } from '../testing/unpaid-trade.ts';
import { confirmTrades, expireReservations, recordReservations, releaseReservations, UnknownOrder } from './index.ts';
import {
  countEffects,
  countEvents,
  countReservations,
  markPaid,
  openIncidents,
  readOrders,
  readStock,
  type TestOrder,
} from './ledger-books.testing.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase('ledger');
});
afterEach(() => database.drop());

type Line = { shopId?: string; skuId: string; quantity: number };
async function place(...lines: Line[]): Promise<TestOrder[]> {
  const { tradeId } = await placeTestTrade(database.pool, { lines: lines.map((line) => ({ shopId: 'S1', ...line })) });
  return readOrders(database.pool, tradeId);
}
const stock = (units: Record<string, number>) =>
  putInLedger(
    database.pool,
    Object.entries(units).map(([name, n]) => {
      const [shopId = '', skuId = ''] = name.split('.');
      return { shopId, skuId, units: n };
    }),
  );
const record = (orders: readonly TestOrder[]) => inTransaction(database.pool, (tx) => recordReservations(tx, orders));
const confirm = (orders: readonly TestOrder[]) =>
  inTransaction(database.pool, (tx) =>
    confirmTrades(
      tx,
      orders.map((o) => ({ ...o, reservationIds: o.lines.map((line) => line.reservationId) })),
    ),
  );
const release = (orders: readonly TestOrder[], reason = 'BUYER_CANCELLED') =>
  inTransaction(database.pool, (tx) =>
    releaseReservations(
      tx,
      orders.map((o) => ({ ...o, reason })),
    ),
  );
const outcomes = (results: readonly { outcome: string }[]) => results.map((result) => result.outcome);

test('C04 – One SKU many times in a batch counts every unit', async () => {
  await stock({ 'S1.K1': 100, 'S1.K2': 5 });
  const orders = (
    await Promise.all([3, 4, 5].map((quantity) => place({ skuId: 'K1', quantity }, { skuId: 'K2', quantity: 1 })))
  ).flat();
  expect(outcomes(await record(orders))).toEqual(['reserved', 'reserved', 'reserved']);
  expect(await readStock(database.pool)).toEqual({ 'S1.K1': '100/12/0', 'S1.K2': '5/3/0' });
  expect(await countEvents(database.pool)).toEqual({ INVENTORY_RESERVED: 3 });
});

test('Over-admitted units are refused order by order before any money; the others of the batch are recorded', async () => {
  await stock({ 'S1.K1': 5, 'S1.K2': 100 });
  const [a, b, c] = [
    await place({ skuId: 'K1', quantity: 3 }),
    await place({ skuId: 'K1', quantity: 3 }, { skuId: 'K2', quantity: 7 }),
    await place({ skuId: 'K1', quantity: 2 }),
  ];
  const results = await record([...a, ...b, ...c]);
  expect(results.map(({ outcome, short }) => [outcome, short])).toEqual([
    ['reserved', undefined],
    ['rejected', ['K1']],
    ['reserved', undefined],
  ]);
  expect(await readStock(database.pool)).toEqual({ 'S1.K1': '5/5/0', 'S1.K2': '100/0/0' });
  expect(await countReservations(database.pool)).toEqual({ PRE_DEDUCTED: 2, RELEASED: 2 });
  expect(await countEffects(database.pool)).toEqual({ GIVE_BACK: 2 });
  expect(await countEvents(database.pool)).toEqual({ INVENTORY_RESERVED: 2, INVENTORY_RESERVE_REJECTED: 1 });
  expect(await openIncidents(database.pool)).toEqual([`OVER_ADMITTED ${b[0]?.shopOrderId}`]);
  const { rows } = await database.pool.query(
    `SELECT DISTINCT release_reason FROM tinystore_inventory.inventory_reservation WHERE status = 'RELEASED'`,
  );
  expect(rows).toEqual([{ release_reason: 'OVER_ADMITTED' }]);
});

test('A line recorded earlier is released with its refused shop order', async () => {
  await stock({ 'S1.K1': 5, 'S1.K2': 1 });
  const [order] = await place({ skuId: 'K1', quantity: 2 }, { skuId: 'K2', quantity: 2 });
  if (!order) throw new Error('no order');
  const first = order.lines.filter((line) => line.skuId === 'K1');
  expect(outcomes(await record([{ ...order, lines: first }]))).toEqual(['reserved']);
  expect(outcomes(await record([order]))).toEqual(['rejected']);
  expect(await readStock(database.pool)).toEqual({ 'S1.K1': '5/0/0', 'S1.K2': '1/0/0' });
  expect(await countReservations(database.pool)).toEqual({ RELEASED: 2 });
  expect(await countEffects(database.pool)).toEqual({ GIVE_BACK: 2 });
});

test('A release that comes first leaves a tombstone, and the reserve after it changes nothing', async () => {
  await stock({ 'S1.K1': 5 });
  const orders = await place({ skuId: 'K1', quantity: 2 });
  await release(orders);
  expect(outcomes(await record(orders))).toEqual(['already']);
  expect(await readStock(database.pool)).toEqual({ 'S1.K1': '5/0/0' });
  expect(await countReservations(database.pool)).toEqual({ RELEASED: 1 });
  expect(await countEffects(database.pool)).toEqual({ GIVE_BACK: 1 });
  expect(await countEvents(database.pool)).toEqual({ INVENTORY_RELEASED: 1 });
});

test('The same event 50 times at once, also twice in one batch, has one effect', async () => {
  await stock({ 'S1.K1': 50 });
  const orders = [...(await place({ skuId: 'K1', quantity: 2 })), ...(await place({ skuId: 'K1', quantity: 3 }))];
  const [first] = orders;
  if (!first) throw new Error('no order');
  await Promise.all(Array.from({ length: 50 }, () => record([...orders, first])));
  expect(await readStock(database.pool)).toEqual({ 'S1.K1': '50/5/0' });
  expect(await countEvents(database.pool)).toEqual({ INVENTORY_RESERVED: 2 });
  await markPaid(database.pool, first.tradeId);
  const confirmed = (await Promise.all(Array.from({ length: 50 }, () => confirm([first, first])))).flat();
  expect(confirmed.filter((result) => result.outcome === 'confirmed')).toHaveLength(1);
  expect(await readStock(database.pool)).toEqual({ 'S1.K1': '48/3/2' });
  await Promise.all(Array.from({ length: 50 }, () => release(orders.slice(1))));
  expect(await readStock(database.pool)).toEqual({ 'S1.K1': '48/0/2' });
  expect(await countEffects(database.pool)).toEqual({ SETTLE: 1, GIVE_BACK: 1 });
});

test('C12 – A paid order is confirmed in all its shops together', async () => {
  await stock({ 'S1.K1': 5, 'S2.K1': 5, 'S3.K1': 5 });
  const orders = await place(...['S1', 'S2', 'S3'].map((shopId) => ({ shopId, skuId: 'K1', quantity: 1 })));
  const tradeId = orders[0]?.tradeId ?? '';
  await record(orders);
  expect(outcomes(await confirm(orders.slice(0, 1)))).toEqual(['stale']);
  await markPaid(database.pool, tradeId);
  expect(outcomes(await confirm(orders.slice(1, 2)))).toEqual(['confirmed']);
  expect(outcomes(await confirm(orders))).toEqual(['already', 'already', 'already']);
  expect(await readStock(database.pool)).toEqual({ 'S1.K1': '4/0/1', 'S2.K1': '4/0/1', 'S3.K1': '4/0/1' });
  expect(await countEvents(database.pool)).toEqual({ INVENTORY_RESERVED: 3, INVENTORY_CONFIRMED: 3 });
  expect(await countEffects(database.pool)).toEqual({ SETTLE: 3 });
  const { rows } = await database.pool.query(
    `SELECT quantity, actor FROM tinystore_inventory.stock_movement WHERE kind = 'CONFIRM'`,
  );
  expect(rows).toEqual(Array.from({ length: 3 }, () => ({ quantity: -1, actor: 'ledger' })));
});

test('C01 – Units that ended before their confirm are never sold twice: the trade is closed and its money is due back', async () => {
  await stock({ 'S1.K1': 5, 'S2.K1': 5, 'S1.K2': 5 });
  const clean = await place({ skuId: 'K2', quantity: 4 });
  const orders = await place({ shopId: 'S1', skuId: 'K1', quantity: 1 }, { shopId: 'S2', skuId: 'K1', quantity: 2 });
  const tradeId = orders[0]?.tradeId ?? '';
  await record([...clean, ...orders]);
  await release(orders.slice(0, 1));
  await markPaid(database.pool, tradeId);
  await markPaid(database.pool, clean[0]?.tradeId ?? '');
  expect(outcomes(await confirm([...orders, ...clean]))).toEqual(['conflict', 'already', 'confirmed']);
  expect(await readStock(database.pool)).toEqual({ 'S1.K1': '5/0/0', 'S1.K2': '1/0/4', 'S2.K1': '5/0/0' });
  expect(await countReservations(database.pool, tradeId)).toEqual({ RELEASED: 2 });
  expect(await countEffects(database.pool)).toEqual({ GIVE_BACK: 2, SETTLE: 1 });
  expect(await countEvents(database.pool)).toEqual({
    INVENTORY_RESERVED: 3,
    INVENTORY_RELEASED: 1,
    INVENTORY_CONFIRMED: 1,
    INVENTORY_CONFIRM_CONFLICT: 2,
    TRADE_CLOSED: 1,
  });
  const { rows } = await database.pool.query(
    `SELECT t.status, t.close_reason, l.event_id, l.cause FROM tinystore_order.trade t
     JOIN tinystore_order.late_payment l ON l.trade_id = t.id WHERE t.id = $1`,
    [tradeId],
  );
  expect(rows).toEqual([
    { status: 'CLOSED', close_reason: 'CONFIRM_CONFLICT', event_id: `pay-${tradeId}`, cause: 'CONFIRM_CONFLICT' },
  ]);
  expect(await openIncidents(database.pool)).toEqual([`CONFIRM_CONFLICT ${tradeId}`]);
  expect(outcomes(await confirm(orders))).toEqual(['stale', 'stale']);
});

test('A confirm without its row opens an incident and confirms nothing of the trade', async () => {
  await stock({ 'S1.K1': 5, 'S2.K1': 5 });
  const orders = await place({ shopId: 'S1', skuId: 'K1', quantity: 1 }, { shopId: 'S2', skuId: 'K1', quantity: 1 });
  await record(orders.slice(0, 1));
  await markPaid(database.pool, orders[0]?.tradeId ?? '');
  expect(outcomes(await confirm(orders.slice(0, 1)))).toEqual(['no-row']);
  expect(await readStock(database.pool)).toEqual({ 'S1.K1': '5/1/0', 'S2.K1': '5/0/0' });
  expect(await openIncidents(database.pool)).toEqual([`CONFIRM_WITHOUT_ROW ${orders[0]?.tradeId}`]);
});

test('Sold units are never released; a person is told', async () => {
  await stock({ 'S1.K1': 5 });
  const orders = await place({ skuId: 'K1', quantity: 1 });
  await record(orders);
  await markPaid(database.pool, orders[0]?.tradeId ?? '');
  await confirm(orders);
  await release(orders, 'OPERATOR_CANCELLED');
  expect(await countReservations(database.pool)).toEqual({ CONFIRMED: 1 });
  expect(await readStock(database.pool)).toEqual({ 'S1.K1': '4/0/1' });
  expect(await openIncidents(database.pool)).toEqual([`RELEASE_OF_CONFIRMED ${orders[0]?.shopOrderId}`]);
});

test('Ids that are not the present attempt change nothing', async () => {
  await stock({ 'S1.K1': 5 });
  const orders = await place({ skuId: 'K1', quantity: 1 });
  await database.pool.query(`UPDATE tinystore_order.order_line_hold SET state = 'PAST'`);
  expect(outcomes(await record(orders))).toEqual(['already']);
  await release(orders);
  await markPaid(database.pool, orders[0]?.tradeId ?? '');
  expect(outcomes(await confirm(orders))).toEqual(['no-row']);
  expect(await countReservations(database.pool)).toEqual({});
  expect(await countEffects(database.pool)).toEqual({});
});

test('An order that does not exist is refused, and nothing of its batch is written', async () => {
  await stock({ 'S1.K1': 5 });
  const [known] = await place({ skuId: 'K1', quantity: 1 });
  if (!known) throw new Error('no order');
  const unknown: TestOrder = {
    ...known,
    shopOrderId: '0191d6a2-7d1e-7c5b-9a3f-0a1b2c3d4e5f',
    lines: [{ reservationId: '0191d6a2-7d1e-7c5b-9a3f-0a1b2c3d4e60', shopId: 'S1', skuId: 'K1', quantity: 1 }],
  };
  await expect(record([known, unknown])).rejects.toBeInstanceOf(UnknownOrder);
  await expect(release([unknown])).rejects.toBeInstanceOf(UnknownOrder);
  expect(await countReservations(database.pool)).toEqual({});
});

test('The end by time ends recorded rows and names the lines still on their way', async () => {
  await stock({ 'S1.K1': 5, 'S2.K1': 5 });
  const orders = await place({ shopId: 'S1', skuId: 'K1', quantity: 2 }, { shopId: 'S2', skuId: 'K1', quantity: 1 });
  await record(orders.slice(0, 1));
  const tradeId = orders[0]?.tradeId ?? '';
  const expire = () => inTransaction(database.pool, (tx) => expireReservations(tx, [tradeId]));
  const onTheirWay = [{ tradeId, shopOrderId: orders[1]?.shopOrderId, lines: orders[1]?.lines }];
  expect(await expire()).toEqual(onTheirWay);
  expect(await expire()).toEqual(onTheirWay);
  expect(await readStock(database.pool)).toEqual({ 'S1.K1': '5/0/0', 'S2.K1': '5/0/0' });
  expect(await countReservations(database.pool)).toEqual({ EXPIRED: 1 });
  expect(await countEffects(database.pool)).toEqual({ GIVE_BACK: 1 });
});

test('Batches over the same SKUs in opposite order never deadlock', async () => {
  await stock({ 'S1.K1': 1000, 'S1.K2': 1000 });
  const orders: TestOrder[] = [];
  for (let n = 0; n < 40; n++)
    orders.push(
      ...(await place(
        ...(n % 2
          ? [
              { skuId: 'K1', quantity: 1 },
              { skuId: 'K2', quantity: 1 },
            ]
          : [
              { skuId: 'K2', quantity: 1 },
              { skuId: 'K1', quantity: 1 },
            ]),
      )),
    );
  const quarters = [0, 1, 2, 3].map((n) => orders.filter((_, index) => index % 4 === n));
  await Promise.all(quarters.map((quarter, n) => record(n % 2 ? quarter : quarter.toReversed())));
  await Promise.all(quarters.map((quarter, n) => (n < 2 ? release(quarter) : release(quarter.toReversed()))));
  expect(await readStock(database.pool)).toEqual({ 'S1.K1': '1000/0/0', 'S1.K2': '1000/0/0' });
  expect(await countReservations(database.pool)).toEqual({ RELEASED: 80 });
});
