import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mint } from '../domain/index.ts';
import { receiveStock } from '../ledger/index.ts';
import { listCounters } from '../ops/console/index.ts';
import { cancelOrder } from '../order/index.ts';
import { deliverEvents } from '../testing/deliver-events.ts';
import { checkInvariants } from '../testing/invariants.ts';
import { openTestBooks, type TestBooks } from './books.testing.ts';
import { reconcile } from './reconcile.ts';
import { reinstallSku } from './reinstall.ts';

let books: TestBooks;
beforeEach(async () => {
  books = await openTestBooks('reconcile');
  await books.stock('K1', 100);
});
afterEach(async () => {
  await books.close();
});
const run = () => reconcile(books.compare);
const quiet = { differing: 0, unexplained: 0, reinstalled: 0 };

describe('C55 – reconcile raises no false alarm', () => {
  test('for orders on their way, ends and sales not applied yet, takes of this moment, and stock coming in', async () => {
    const [cancelled, sold] = [await books.placed('K1', 2), await books.placed('K1', 3)];
    await books.settle();
    await cancelOrder(books.desk, { tradeId: cancelled.tradeId, by: { kind: 'buyer', buyerId: cancelled.buyerId } });
    await deliverEvents(books.pool);
    await books.paid(sold.tradeId);
    await books.placed('K1', 4);
    await books.ghost('K1', 5);
    await receiveStock(books.pool, { shopId: 'S1', skuId: 'K1', quantity: 7, operationId: mint(), actor: 'test' });

    expect(await run()).toMatchObject({ ...quiet, outcome: 'complete', judged: 1, explained: 2 + 4 + 5 - 7 });
    expect(await books.log('FINDING')).toEqual([]);
    const { counters } = await listCounters(books.compare, { limit: 10 });
    expect(counters[0]?.rows.map((row) => `${row.cause} ${row.units}`).sort()).toEqual([
      'GIVE_BACK_PENDING 2',
      'JUST_TAKEN 5',
      'NOT_RECORDED 4',
      'RAISE_PENDING -7',
      'SETTLE_PENDING 0',
    ]);
  });

  test('while orders stream in and the publisher is behind', async () => {
    let going = true;
    const buyers = Array.from({ length: 4 }, async () => {
      let placed = 0;
      while (going)
        if ((await books.order([{ skuId: 'K1', quantity: 1 }])).kind === 'placed') placed++;
        else break;
      return placed;
    });
    const runs = [];
    for (let i = 0; i < 8; i++) runs.push(await run());
    going = false;
    const placed = (await Promise.all(buyers)).reduce((sum, n) => sum + n, 0);
    expect(placed).toBeGreaterThan(0);
    expect(runs.every((r) => r.differing === 0 && r.unknown === 0)).toBe(true);
    await books.settle();
    expect(await run()).toMatchObject({ ...quiet, judged: 1, explained: 0 });
    expect(await books.log('FINDING')).toEqual([]);
    expect(await checkInvariants(books)).toEqual([]);
  });
});

describe('C55 – held too little is put right at once (P37)', () => {
  beforeEach(async () => {
    await books.placed('K1', 10);
    await books.settle();
  });

  test('a counter of 7 instead of 10', async () => {
    await books.plant('K1', { deducted: -3 });
    expect(await run()).toMatchObject({ differing: 1, unexplained: 3, reinstalled: 1 });
    await books.gatekeeper.runOnce();
    expect(await books.look('K1')).toMatchObject({ deducted: 10, total: 100 });
    expect(await run()).toMatchObject(quiet);
    const [finding] = await books.log('FINDING');
    expect(finding).toMatchObject({
      skuId: 'K1',
      unexplained: -3,
      actor: 'reconcile',
      before: { deducted: 7, risk: 'oversell' },
      after: { deducted: 10 },
    });
    expect(await books.log('REPAIR')).toMatchObject([
      {
        skuId: 'K1',
        cause: 'held too little',
        before: { deducted: 7 },
        after: { action: 'INSTALL', reservedQuantity: 10 },
      },
    ]);
    expect(await checkInvariants(books)).toEqual([]);
  });

  test('a reservation without its hold', async () => {
    const [hold] = (await books.look('K1')).holds;
    await books.plant('K1', { drop: `${hold}:10`, deducted: -10 });
    expect(await run()).toMatchObject({ differing: 1, reinstalled: 1 });
    await books.gatekeeper.runOnce();
    expect(await books.look('K1')).toMatchObject({ deducted: 10, holds: [hold] });
  });

  test('a capacity above the ledger', async () => {
    await books.plant('K1', { total: 5 });
    expect(await run()).toMatchObject({ differing: 1, unexplained: 5, reinstalled: 1 });
    await books.gatekeeper.runOnce();
    expect(await books.look('K1')).toMatchObject({ total: 100, deducted: 10 });
  });
});

describe('C55 – held too much is first reported, then healed if the next run still finds it (P37)', () => {
  test('a counter of 13 instead of 10, with an incident that closes by itself', async () => {
    await books.placed('K1', 10);
    await books.settle();
    await books.plant('K1', { deducted: 3 });
    expect(await run()).toMatchObject({ differing: 1, unexplained: 3, reinstalled: 0 });
    expect(await books.openIncidents()).toEqual([]);
    expect(await books.look('K1')).toMatchObject({ deducted: 13 });
    expect(await run()).toMatchObject({ differing: 1, reinstalled: 1 });
    expect(await books.openIncidents()).toEqual([{ kind: 'UNEXPLAINED_DRIFT', subject: 'S1/K1' }]);
    await books.gatekeeper.runOnce();
    expect(await run()).toMatchObject(quiet);
    expect(await books.look('K1')).toMatchObject({ deducted: 10 });
    expect(await books.openIncidents()).toEqual([]);
    expect((await books.log('RUN')).map((row) => row.unexplained)).toEqual([3, 3, 0]);
    expect(await checkInvariants(books)).toEqual([]);
  });

  test('a hold with no order, older than the proof age', async () => {
    await books.placed('K1', 10);
    await books.settle();
    const ghost = await books.ghost('K1', 2);
    await books.ahead(61_000);
    expect(await run()).toMatchObject({ differing: 1, unexplained: 2, reinstalled: 0 });
    expect(await run()).toMatchObject({ reinstalled: 1 });
    await books.gatekeeper.runOnce();
    expect((await books.look('K1')).holds).not.toContain(ghost);
    expect(await run()).toMatchObject(quiet);
  });

  test('C60 – the console tells the same drift as the run, from the same comparison', async () => {
    await books.placed('K1', 10);
    await books.settle();
    await books.stock('K2', 5);
    await books.plant('K1', { deducted: -3 });
    const { counters } = await listCounters(books.compare, { limit: 10 });
    expect(counters).toMatchObject([
      {
        skuId: 'K1',
        unexplained: -3,
        risk: 'oversell',
        gate: { kind: 'read', total: 100, deducted: 7, holds: 1 },
        expected: { total: 100, deducted: 10 },
        ledger: { totalQuantity: 100, reserved: 10, confirmed: 0, preDeductedUnits: 10, liveUnits: 10, capacity: 100 },
      },
      { skuId: 'K2', unexplained: 0, risk: 'none', gate: { total: 5, deducted: 0, free: 5 } },
    ]);
    expect((await listCounters(books.compare, { limit: 10, driftedOnly: true })).counters.map((c) => c.skuId)).toEqual([
      'K1',
    ]);
    const first = await listCounters(books.compare, { limit: 1 });
    expect(
      (await listCounters(books.compare, { limit: 1, ...(first.next && { after: first.next }) })).counters.map(
        (c) => c.skuId,
      ),
    ).toEqual(['K2']);
  });
});

describe('what could not be read is unknown, never zero, and nothing is written for it (P36)', () => {
  test('a closed gate: the run says so and judges nothing', async () => {
    await books.plant('K1', { deducted: 9 });
    await books.pool.query('UPDATE tinystore_inventory.gate_epoch SET open = false');
    expect(await run()).toMatchObject({ outcome: 'closed', judged: 0, differing: 0 });
    expect(await books.log('FINDING')).toEqual([]);
    expect(await books.compare.metrics.registry.getSingleMetricAsString('holdfast_unexplained_drift_units')).toContain(
      'Nan',
    );
    await books.gate.refresh();
    const { counters } = await listCounters(books.compare, { limit: 10 });
    expect(counters).toMatchObject([
      { gate: { kind: 'unknown', why: 'GATE_CLOSED' }, unexplained: null, inFlight: null },
    ]);
  });

  test('a SKU that somebody re-installed meanwhile is left alone', async () => {
    const judged = { shopId: 'S1', skuId: 'K1', actor: 'test', cause: 'test' };
    const { rows } = await books.pool.query<{ generation: number }>(
      'SELECT generation FROM tinystore_inventory.inventory_stock',
    );
    const generation = rows[0]?.generation ?? 0;
    expect(await reinstallSku(books.pool, { ...judged, generation })).toEqual({
      kind: 'reinstalling',
      generation: generation + 1,
    });
    expect(await reinstallSku(books.pool, { ...judged, generation })).toEqual({ kind: 'moved' });
    expect(await books.log('REPAIR')).toHaveLength(1);
  });

  test('C16 – two runs at the same moment repair once', async () => {
    await books.plant('K1', { total: 5 });
    const runs = await Promise.all([run(), run()]);
    expect(runs.map((r) => r.reinstalled).reduce((a, b) => a + b)).toBe(1);
    await books.gatekeeper.runOnce();
    expect(await run()).toMatchObject(quiet);
  });
});
