import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { liveHolds, reportClosed } from '../../../gate/index.ts';
import { setClockOffset } from '../../../testing/clock.ts';
import { cancelOrder } from '../../cancel-order.ts';
import { matchUnmatched } from '../match-unmatched.ts';
import { openIncidents, readStock, setPayUntil } from '../payment-desk.testing.ts';
import { type LateMoneyDesk, openLateMoneyDesk } from './late-money-desk.testing.ts';

let desk: LateMoneyDesk;
beforeAll(async () => {
  desk = await openLateMoneyDesk('late_money');
});
afterAll(() => desk.close());

const one = (skuId: string, shopId = 'S1') => [{ skuId, shopId, quantity: 1 }];
const idOf = (receipt: Awaited<ReturnType<LateMoneyDesk['notify']>>) =>
  receipt.kind === 'stored' ? receipt.eventId : '';

describe('C01 – Money that arrives after the hold ended never takes a unit sold to someone else', () => {
  test('the unit was sold to B: B keeps it, and the money of A goes back', async () => {
    await desk.stock('C01a', 1);
    const a = await desk.place(one('C01a'));
    await desk.runOutOfTime(a);
    const b = await desk.place(one('C01a'));
    await desk.notify(b);
    await desk.settle();
    const late = idOf(await desk.notify(a));
    await desk.runJob();
    expect(await desk.books(a)).toMatchObject({ trade: 'CLOSED', late: ['LATE REFUND_DUE'] });
    expect(await desk.books(b)).toMatchObject({ trade: 'PAID', rows: ['CONFIRMED'] });
    expect(await openIncidents(desk.pool, late)).toEqual(['LATE_MONEY']);
    expect(await desk.atGate('C01a')).toEqual({ deducted: 1, holds: 0 });
    expect(await readStock(desk.pool, 'C01a')).toEqual({ total: 0, reserved: 0, confirmed: 1 });
    await desk.moneyIsBack();
    await desk.runJob();
    expect(await desk.books(a)).toMatchObject({ late: ['LATE REFUNDED'] });
    expect(await openIncidents(desk.pool, late)).toEqual([]);
  });

  test('nobody took the unit: A is confirmed through a new take, and its old id stays ended', async () => {
    await desk.stock('C01b', 1);
    const a = await desk.place(one('C01b'));
    await desk.runOutOfTime(a);
    const late = idOf(await desk.notify(a));
    expect(await desk.runJob()).toMatchObject({ revived: 1, failed: 0 });
    expect(await desk.books(a)).toEqual({
      trade: 'PAID',
      closeReason: null,
      intent: 'SUCCEEDED',
      shopOrders: ['CONFIRMED'],
      rows: expect.arrayContaining(['EXPIRED', 'CONFIRMED']),
      openOrders: 0,
      latePayments: ['LATE'],
      late: ['LATE REVIVED'],
    });
    expect(await desk.atGate('C01b')).toEqual({ deducted: 1, holds: 0 });
    expect(await readStock(desk.pool, 'C01b')).toEqual({ total: 0, reserved: 0, confirmed: 1 });
    expect(await openIncidents(desk.pool, late)).toEqual([]);
    expect(await desk.runJob()).toMatchObject({ scanned: 0 });
  });

  test('the hold ended a moment ago and no job has run yet: it counts as ended, and a new take is needed', async () => {
    await desk.stock('C01c', 1);
    const a = await desk.place(one('C01c'));
    await setPayUntil(desk.pool, a.tradeId, -1000);
    expect(await desk.notify(a)).toMatchObject({ verdict: 'LATE' });
    // The old unit has not come back to the gate yet: the job waits for it.
    expect(await desk.runJob()).toMatchObject({ revived: 0 });
    expect(await desk.runJob()).toMatchObject({ revived: 1 });
    expect(await desk.books(a)).toMatchObject({ trade: 'PAID', late: ['LATE REVIVED'] });
    expect(await desk.atGate('C01c')).toEqual({ deducted: 1, holds: 0 });
  });
});

test('P28 – several shops revive whole or not at all: one unit that is gone gives the others back', async () => {
  await Promise.all([desk.stock('multi', 1, 'S1'), desk.stock('multi', 1, 'S2')]);
  const a = await desk.place([...one('multi', 'S1'), ...one('multi', 'S2')]);
  await desk.runOutOfTime(a);
  const b = await desk.place(one('multi', 'S2'));
  await desk.notify(a);
  await desk.runJob();
  expect(await desk.books(a)).toMatchObject({ trade: 'CLOSED', late: ['LATE REFUND_DUE'] });
  expect(await desk.atGate('multi', 'S1')).toEqual({ deducted: 0, holds: 0 });
  expect(await desk.atGate('multi', 'S2')).toEqual({ deducted: 1, holds: 1 });
  expect(await desk.books(b)).toMatchObject({ trade: 'UNPAID' });
});

test.each(['late-money.intended', 'late-money.taken'] as const)(
  'a worker that dies at %s leaves ids that the next attempt ends before it takes anew (P13)',
  async (point) => {
    const sku = point.replace('late-money.', 'crash-');
    await desk.stock(sku, 2);
    const a = await desk.place(one(sku));
    await desk.runOutOfTime(a);
    await desk.notify(a);
    const stopAt = (at: string) => (at === point ? Promise.reject(new Error('dies here')) : Promise.resolve());
    expect(await desk.runJob({ stopAt })).toMatchObject({ failed: 1 });
    expect(await desk.books(a)).toMatchObject({ trade: 'CLOSED', late: ['LATE REVIVING'] });
    expect(await desk.runJob()).toMatchObject({ revived: 1 });
    expect(await desk.books(a)).toMatchObject({ trade: 'PAID', late: ['LATE REVIVED'] });
    expect(await desk.atGate(sku)).toEqual({ deducted: 1, holds: 0 });
    expect(await readStock(desk.pool, sku)).toEqual({ total: 1, reserved: 0, confirmed: 1 });
  },
);

test('P11 – a gate that was rebuilt after the take revives nothing; the next attempt does', async () => {
  await desk.stock('fence', 1);
  const a = await desk.place(one('fence'));
  await desk.runOutOfTime(a);
  await desk.notify(a);
  const rebuild = async (at: string) => {
    if (at !== 'late-money.taken') return;
    const epoch = desk.gate.state()?.epoch ?? 0;
    await reportClosed(desk.pool, epoch, 'TEST: closed by hand');
    await desk.gatekeeper.runOnce();
  };
  expect(await desk.runJob({ stopAt: rebuild })).toMatchObject({ revived: 0, failed: 0 });
  expect(await desk.books(a)).toMatchObject({ trade: 'CLOSED', late: ['LATE REVIVING'] });
  await desk.gate.refresh();
  expect(await desk.runJob()).toMatchObject({ revived: 1 });
  expect(await desk.atGate('fence')).toEqual({ deducted: 1, holds: 0 });
});

test('P2 – ids that a revive only intends to take hold nothing: a gate that is loaded meanwhile has the units free', async () => {
  await desk.stock('intends', 1);
  const a = await desk.place(one('intends'));
  await desk.runOutOfTime(a);
  await desk.notify(a);
  const stopAt = (at: string) =>
    at === 'late-money.intended' ? Promise.reject(new Error('dies here')) : Promise.resolve();
  expect(await desk.runJob({ stopAt })).toMatchObject({ failed: 1 });
  expect(await liveHolds(desk.pool, one('intends'))).toEqual([]);
  await desk.gatekeeper.rebuild();
  await desk.gate.refresh();
  expect(await desk.atGate('intends')).toEqual({ deducted: 0, holds: 0 });
  expect(await desk.runJob()).toMatchObject({ revived: 1 });
  expect(await desk.atGate('intends')).toEqual({ deducted: 1, holds: 0 });
});

test('P28 – late money that is looked at again, its refund forgotten, goes back once', async () => {
  await desk.stock('forgotten', 1);
  const a = await desk.place(one('forgotten'));
  await cancelOrder(desk.deps, { tradeId: a.tradeId, by: { kind: 'buyer', buyerId: a.buyerId } });
  await desk.settle();
  const late = idOf(await desk.notify(a));
  const refunds = async () =>
    (await desk.pool.query('SELECT id FROM tinystore_order.refund WHERE event_id = $1', [late])).rows;
  await desk.runJob();
  const asked = await refunds();
  expect(asked).toHaveLength(1);
  await desk.pool.query('UPDATE tinystore_order.late_payment SET refund_id = NULL WHERE event_id = $1', [late]);
  expect(await desk.runJob()).toMatchObject({ failed: 0 });
  expect(await refunds()).toEqual(asked);
});

test('two late payments of one order, and the job run four times at once: one revives it, the other goes back', async () => {
  await desk.stock('two-late', 5);
  const a = await desk.place(one('two-late'));
  await desk.runOutOfTime(a);
  await desk.notify(a);
  await desk.notify(a);
  await Promise.all(Array.from({ length: 4 }, () => desk.runJob()));
  await desk.runJob();
  const { trade, late } = await desk.books(a);
  expect(trade).toBe('PAID');
  expect(late.toSorted()).toEqual(['LATE REFUND_DUE', 'LATE REVIVED']);
  expect(await desk.atGate('two-late')).toEqual({ deducted: 1, holds: 0 });
});

test('C02 – money that lost against a cancel is due back, and the cancelled order stays ended', async () => {
  await desk.stock('cancelled', 1);
  const a = await desk.place(one('cancelled'));
  await cancelOrder(desk.deps, { tradeId: a.tradeId, by: { kind: 'buyer', buyerId: a.buyerId } });
  await desk.settle();
  await desk.notify(a);
  await desk.runJob();
  expect(await desk.books(a)).toMatchObject({ trade: 'CLOSED', rows: ['RELEASED'], late: ['LATE REFUND_DUE'] });
  expect(await desk.atGate('cancelled')).toEqual({ deducted: 0, holds: 0 });
});

test('P28 – what could not be revived within 10 minutes, because the gate is closed, is refunded', async () => {
  await desk.stock('ten-minutes', 1);
  const a = await desk.place(one('ten-minutes'));
  await desk.runOutOfTime(a);
  await desk.notify(a);
  await desk.pool.query('UPDATE tinystore_inventory.gate_epoch SET open = false');
  await desk.gate.refresh();
  const closed = await desk.runJob();
  expect(closed).toMatchObject({ revived: 0 });
  await setClockOffset(desk.pool, 11 * 60_000);
  try {
    await desk.runJob();
    const { trade, late } = await desk.books(a);
    expect([trade, ...late]).toEqual(['CLOSED', 'LATE REFUND_DUE']);
  } finally {
    await setClockOffset(desk.pool, 0);
    await desk.gatekeeper.runOnce();
    await desk.gate.refresh();
  }
});

test('P30 – a second payment, a wrong amount and money without an order go back by themselves', async () => {
  await desk.stock('others', 5);
  const a = await desk.place(one('others'));
  const ids = [
    idOf(await desk.notify(a, { amountMinor: a.totalMinor + 1 })),
    idOf(await desk.notify(a)) && idOf(await desk.notify(a)),
    idOf(await desk.notify({ ...a, intentId: '0197a2c4-0000-7000-8000-000000000000' })),
  ];
  await desk.settle();
  expect(await matchUnmatched(desk.deps, { limit: 10 })).toMatchObject({ givenBack: 0 });
  await setClockOffset(desk.pool, 31 * 60_000);
  try {
    expect(await matchUnmatched(desk.deps, { limit: 10 })).toMatchObject({ givenBack: 1 });
    expect(await matchUnmatched(desk.deps, { limit: 10 })).toMatchObject({ scanned: 0 });
  } finally {
    await setClockOffset(desk.pool, 0);
  }
  await desk.runJob();
  expect(await desk.books(a)).toMatchObject({
    trade: 'PAID',
    late: ['AMOUNT_DIFFERS REFUND_DUE', 'SECOND REFUND_DUE'],
  });
  const kinds = await Promise.all(ids.map((id) => openIncidents(desk.pool, id)));
  expect(kinds).toEqual([['AMOUNT_MISMATCH'], ['SECOND_PAYMENT'], ['UNMATCHED_PAYMENT']]);
  await desk.moneyIsBack();
  await desk.runJob();
  expect(await Promise.all(ids.map((id) => openIncidents(desk.pool, id)))).toEqual([[], [], []]);
});
