import { afterEach, beforeEach, expect, test } from 'vitest';
import { UnknownOrder } from './index.ts';
import {
  countEffects,
  countEvents,
  countReservations,
  markPaid,
  openIncidents,
  readStock,
  type TestOrder,
} from './ledger-books.testing.ts';
import { openTestLedger, type TestLedger } from './ledger-desk.testing.ts';

let ledger: TestLedger;
beforeEach(async () => {
  ledger = await openTestLedger();
});
afterEach(() => ledger.close());

const outcomes = (results: readonly { outcome: string }[]) => results.map((result) => result.outcome);

test('C04 – One SKU many times in a batch counts every unit', async () => {
  await ledger.stock({ 'S1.K1': 100, 'S1.K2': 5 });
  const orders = (
    await Promise.all(
      [3, 4, 5].map((quantity) => ledger.place({ skuId: 'K1', quantity }, { skuId: 'K2', quantity: 1 })),
    )
  ).flat();
  expect(outcomes(await ledger.record(orders))).toEqual(['reserved', 'reserved', 'reserved']);
  expect(await readStock(ledger.pool)).toEqual({ 'S1.K1': '100/12/0', 'S1.K2': '5/3/0' });
  expect(await countEvents(ledger.pool)).toEqual({ INVENTORY_RESERVED: 3 });
});

test('Over-admitted units are refused order by order before any money; the others of the batch are recorded', async () => {
  await ledger.stock({ 'S1.K1': 5, 'S1.K2': 100 });
  const [a, b, c] = [
    await ledger.place({ skuId: 'K1', quantity: 3 }),
    await ledger.place({ skuId: 'K1', quantity: 3 }, { skuId: 'K2', quantity: 7 }),
    await ledger.place({ skuId: 'K1', quantity: 2 }),
  ];
  const results = await ledger.record([...a, ...b, ...c]);
  expect(results.map(({ outcome, short }) => [outcome, short])).toEqual([
    ['reserved', undefined],
    ['rejected', ['K1']],
    ['reserved', undefined],
  ]);
  expect(await readStock(ledger.pool)).toEqual({ 'S1.K1': '5/5/0', 'S1.K2': '100/0/0' });
  expect(await countReservations(ledger.pool)).toEqual({ PRE_DEDUCTED: 2, RELEASED: 2 });
  expect(await countEffects(ledger.pool)).toEqual({ GIVE_BACK: 2 });
  expect(await countEvents(ledger.pool)).toEqual({ INVENTORY_RESERVED: 2, INVENTORY_RESERVE_REJECTED: 1 });
  expect(await openIncidents(ledger.pool)).toEqual([`OVER_ADMITTED ${b[0]?.shopOrderId}`]);
  const { rows } = await ledger.pool.query(
    `SELECT DISTINCT release_reason FROM tinystore_inventory.inventory_reservation WHERE status = 'RELEASED'`,
  );
  expect(rows).toEqual([{ release_reason: 'OVER_ADMITTED' }]);
});

test('A line recorded earlier is released with its refused shop order', async () => {
  await ledger.stock({ 'S1.K1': 5, 'S1.K2': 1 });
  const [order] = await ledger.place({ skuId: 'K1', quantity: 2 }, { skuId: 'K2', quantity: 2 });
  if (!order) throw new Error('no order');
  const first = order.lines.filter((line) => line.skuId === 'K1');
  expect(outcomes(await ledger.record([{ ...order, lines: first }]))).toEqual(['reserved']);
  expect(outcomes(await ledger.record([order]))).toEqual(['rejected']);
  expect(await readStock(ledger.pool)).toEqual({ 'S1.K1': '5/0/0', 'S1.K2': '1/0/0' });
  expect(await countReservations(ledger.pool)).toEqual({ RELEASED: 2 });
  expect(await countEffects(ledger.pool)).toEqual({ GIVE_BACK: 2 });
});

test('A release that comes first leaves a tombstone, and the reserve after it changes nothing', async () => {
  await ledger.stock({ 'S1.K1': 5 });
  const orders = await ledger.place({ skuId: 'K1', quantity: 2 });
  await ledger.release(orders);
  expect(outcomes(await ledger.record(orders))).toEqual(['already']);
  expect(await readStock(ledger.pool)).toEqual({ 'S1.K1': '5/0/0' });
  expect(await countReservations(ledger.pool)).toEqual({ RELEASED: 1 });
  expect(await countEffects(ledger.pool)).toEqual({ GIVE_BACK: 1 });
  expect(await countEvents(ledger.pool)).toEqual({ INVENTORY_RELEASED: 1 });
});

test('The same event 50 times at once, also twice in one batch, has one effect', async () => {
  ledger.mayBreak = true;
  await ledger.stock({ 'S1.K1': 50 });
  const orders = [
    ...(await ledger.place({ skuId: 'K1', quantity: 2 })),
    ...(await ledger.place({ skuId: 'K1', quantity: 3 })),
  ];
  const [first] = orders;
  if (!first) throw new Error('no order');
  await Promise.all(Array.from({ length: 50 }, () => ledger.record([...orders, first])));
  expect(await readStock(ledger.pool)).toEqual({ 'S1.K1': '50/5/0' });
  expect(await countEvents(ledger.pool)).toEqual({ INVENTORY_RESERVED: 2 });
  await markPaid(ledger.pool, first.tradeId);
  const confirmed = (await Promise.all(Array.from({ length: 50 }, () => ledger.confirm([first, first])))).flat();
  expect(confirmed.filter((result) => result.outcome === 'confirmed')).toHaveLength(1);
  expect(await readStock(ledger.pool)).toEqual({ 'S1.K1': '48/3/2' });
  await Promise.all(Array.from({ length: 50 }, () => ledger.release(orders.slice(1))));
  expect(await readStock(ledger.pool)).toEqual({ 'S1.K1': '48/0/2' });
  expect(await countEffects(ledger.pool)).toEqual({ SETTLE: 1, GIVE_BACK: 1 });
});

test('C12 – A paid order is confirmed in all its shops together', async () => {
  await ledger.stock({ 'S1.K1': 5, 'S2.K1': 5, 'S3.K1': 5 });
  const orders = await ledger.place(...['S1', 'S2', 'S3'].map((shopId) => ({ shopId, skuId: 'K1', quantity: 1 })));
  const tradeId = orders[0]?.tradeId ?? '';
  await ledger.record(orders);
  expect(outcomes(await ledger.confirm(orders.slice(0, 1)))).toEqual(['stale']);
  await markPaid(ledger.pool, tradeId);
  expect(outcomes(await ledger.confirm(orders.slice(1, 2)))).toEqual(['confirmed']);
  expect(outcomes(await ledger.confirm(orders))).toEqual(['already', 'already', 'already']);
  expect(await readStock(ledger.pool)).toEqual({ 'S1.K1': '4/0/1', 'S2.K1': '4/0/1', 'S3.K1': '4/0/1' });
  expect(await countEvents(ledger.pool)).toEqual({ INVENTORY_RESERVED: 3, INVENTORY_CONFIRMED: 3 });
  expect(await countEffects(ledger.pool)).toEqual({ SETTLE: 3 });
  const { rows } = await ledger.pool.query(
    `SELECT quantity, actor FROM tinystore_inventory.stock_movement WHERE kind = 'CONFIRM'`,
  );
  expect(rows).toEqual(Array.from({ length: 3 }, () => ({ quantity: -1, actor: 'ledger' })));
});

test('C01 – Units that ended before their confirm are never sold twice: the trade is closed and its money is due back', async () => {
  await ledger.stock({ 'S1.K1': 5, 'S2.K1': 5, 'S1.K2': 5 });
  const clean = await ledger.place({ skuId: 'K2', quantity: 4 });
  const orders = await ledger.place(
    { shopId: 'S1', skuId: 'K1', quantity: 1 },
    { shopId: 'S2', skuId: 'K1', quantity: 2 },
  );
  const tradeId = orders[0]?.tradeId ?? '';
  await ledger.record([...clean, ...orders]);
  await ledger.release(orders.slice(0, 1));
  await markPaid(ledger.pool, tradeId);
  await markPaid(ledger.pool, clean[0]?.tradeId ?? '');
  expect(outcomes(await ledger.confirm([...orders, ...clean]))).toEqual(['conflict', 'already', 'confirmed']);
  expect(await readStock(ledger.pool)).toEqual({ 'S1.K1': '5/0/0', 'S1.K2': '1/0/4', 'S2.K1': '5/0/0' });
  expect(await countReservations(ledger.pool, tradeId)).toEqual({ RELEASED: 2 });
  expect(await countEffects(ledger.pool)).toEqual({ GIVE_BACK: 2, SETTLE: 1 });
  expect(await countEvents(ledger.pool)).toEqual({
    INVENTORY_RESERVED: 3,
    INVENTORY_RELEASED: 1,
    INVENTORY_CONFIRMED: 1,
    INVENTORY_CONFIRM_CONFLICT: 2,
    TRADE_CLOSED: 1,
  });
  const { rows } = await ledger.pool.query(
    `SELECT t.status, t.close_reason, l.event_id, l.cause FROM tinystore_order.trade t
     JOIN tinystore_order.late_payment l ON l.trade_id = t.id WHERE t.id = $1`,
    [tradeId],
  );
  expect(rows).toEqual([
    { status: 'CLOSED', close_reason: 'CONFIRM_CONFLICT', event_id: `pay-${tradeId}`, cause: 'CONFIRM_CONFLICT' },
  ]);
  expect(await openIncidents(ledger.pool)).toEqual([`CONFIRM_CONFLICT ${tradeId}`]);
  expect(outcomes(await ledger.confirm(orders))).toEqual(['stale', 'stale']);
});

test('A confirm without its row opens an incident and confirms nothing of the trade', async () => {
  ledger.mayBreak = true;
  await ledger.stock({ 'S1.K1': 5, 'S2.K1': 5 });
  const orders = await ledger.place(
    { shopId: 'S1', skuId: 'K1', quantity: 1 },
    { shopId: 'S2', skuId: 'K1', quantity: 1 },
  );
  await ledger.record(orders.slice(0, 1));
  await markPaid(ledger.pool, orders[0]?.tradeId ?? '');
  expect(outcomes(await ledger.confirm(orders.slice(0, 1)))).toEqual(['no-row']);
  expect(await readStock(ledger.pool)).toEqual({ 'S1.K1': '5/1/0', 'S2.K1': '5/0/0' });
  expect(await openIncidents(ledger.pool)).toEqual([`CONFIRM_WITHOUT_ROW ${orders[0]?.tradeId}`]);
});

test('Sold units are never released; a person is told', async () => {
  await ledger.stock({ 'S1.K1': 5 });
  const orders = await ledger.place({ skuId: 'K1', quantity: 1 });
  await ledger.record(orders);
  await markPaid(ledger.pool, orders[0]?.tradeId ?? '');
  await ledger.confirm(orders);
  await ledger.release(orders, 'OPERATOR_CANCELLED');
  expect(await countReservations(ledger.pool)).toEqual({ CONFIRMED: 1 });
  expect(await readStock(ledger.pool)).toEqual({ 'S1.K1': '4/0/1' });
  expect(await openIncidents(ledger.pool)).toEqual([`RELEASE_OF_CONFIRMED ${orders[0]?.shopOrderId}`]);
});

test('Ids that are not the present attempt change nothing', async () => {
  ledger.mayBreak = true;
  await ledger.stock({ 'S1.K1': 5 });
  const orders = await ledger.place({ skuId: 'K1', quantity: 1 });
  await ledger.pool.query(`UPDATE tinystore_order.order_line_hold SET state = 'PAST'`);
  expect(outcomes(await ledger.record(orders))).toEqual(['already']);
  await ledger.release(orders);
  await markPaid(ledger.pool, orders[0]?.tradeId ?? '');
  expect(outcomes(await ledger.confirm(orders))).toEqual(['no-row']);
  expect(await countReservations(ledger.pool)).toEqual({});
  expect(await countEffects(ledger.pool)).toEqual({});
});

test('An order that does not exist is refused, and nothing of its batch is written', async () => {
  await ledger.stock({ 'S1.K1': 5 });
  const [known] = await ledger.place({ skuId: 'K1', quantity: 1 });
  if (!known) throw new Error('no order');
  const unknown: TestOrder = {
    ...known,
    shopOrderId: '0191d6a2-7d1e-7c5b-9a3f-0a1b2c3d4e5f',
    lines: [{ reservationId: '0191d6a2-7d1e-7c5b-9a3f-0a1b2c3d4e60', shopId: 'S1', skuId: 'K1', quantity: 1 }],
  };
  await expect(ledger.record([known, unknown])).rejects.toBeInstanceOf(UnknownOrder);
  await expect(ledger.release([unknown])).rejects.toBeInstanceOf(UnknownOrder);
  expect(await countReservations(ledger.pool)).toEqual({});
});

test('The end by time ends recorded rows and names the lines still on their way', async () => {
  ledger.mayBreak = true;
  await ledger.stock({ 'S1.K1': 5, 'S2.K1': 5 });
  const orders = await ledger.place(
    { shopId: 'S1', skuId: 'K1', quantity: 2 },
    { shopId: 'S2', skuId: 'K1', quantity: 1 },
  );
  await ledger.record(orders.slice(0, 1));
  const tradeId = orders[0]?.tradeId ?? '';
  const expire = () => ledger.expire([tradeId]);
  const onTheirWay = [{ tradeId, shopOrderId: orders[1]?.shopOrderId, lines: orders[1]?.lines }];
  expect(await expire()).toEqual(onTheirWay);
  expect(await expire()).toEqual(onTheirWay);
  expect(await readStock(ledger.pool)).toEqual({ 'S1.K1': '5/0/0', 'S2.K1': '5/0/0' });
  expect(await countReservations(ledger.pool)).toEqual({ EXPIRED: 1 });
  expect(await countEffects(ledger.pool)).toEqual({ GIVE_BACK: 1 });
});

test('Batches over the same SKUs in opposite order never deadlock', async () => {
  ledger.mayBreak = true;
  await ledger.stock({ 'S1.K1': 1000, 'S1.K2': 1000 });
  const orders: TestOrder[] = [];
  const lines = ['K1', 'K2'].map((skuId) => ({ skuId, quantity: 1 }));
  for (let n = 0; n < 40; n++) orders.push(...(await ledger.place(...(n % 2 ? lines : lines.toReversed()))));
  const quarters = [0, 1, 2, 3].map((n) => orders.filter((_, index) => index % 4 === n));
  await Promise.all(quarters.map((quarter, n) => ledger.record(n % 2 ? quarter : quarter.toReversed())));
  await Promise.all(
    quarters.map((quarter, n) => (n < 2 ? ledger.release(quarter) : ledger.release(quarter.toReversed()))),
  );
  expect(await readStock(ledger.pool)).toEqual({ 'S1.K1': '1000/0/0', 'S1.K2': '1000/0/0' });
  expect(await countReservations(ledger.pool)).toEqual({ RELEASED: 80 });
});
