import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mint } from '../domain/index.ts';
import { skuKeys } from '../gate/keys.ts';
import { cancelOrder, placeOrder } from '../order/index.ts';
import { beforeQuery } from '../testing/before-query.ts';
import { deliverEvents } from '../testing/deliver-events.ts';
import { checkInvariants } from '../testing/invariants.ts';
import { abandonHolds } from './abandon-holds.ts';
import { openTestBooks, type TestBooks } from './books.testing.ts';
import { sweepGhostHolds } from './sweep-ghost-holds.ts';

let books: TestBooks;
beforeEach(async () => {
  books = await openTestBooks('sweep');
  await books.stock('K1', 10);
});
afterEach(async () => {
  await books.close();
});
const AFTER_PROOF_AGE = 61_000;
const abandoned = async () =>
  (await books.pool.query('SELECT reservation_id FROM tinystore_inventory.abandoned_hold')).rows.length;

describe('a hold that no order names', () => {
  test('C23 – (a) is given back once, after its proof is stored, and not before the proof age', async () => {
    await books.ghost('K1', 2);
    expect(await sweepGhostHolds(books.sweep)).toMatchObject({ looked: 0, abandoned: 0 });
    expect(await books.look('K1')).toMatchObject({ deducted: 2 });

    await books.ahead(AFTER_PROOF_AGE);
    expect(await sweepGhostHolds(books.sweep)).toMatchObject({
      looked: 1,
      abandoned: 1,
      givenBack: 1,
      resumeAfter: null,
    });
    expect(await books.look('K1')).toEqual({ total: 10, deducted: 0, holds: [] });
    expect(await abandoned()).toBe(1);
    expect(await sweepGhostHolds(books.sweep)).toMatchObject({ looked: 0, givenBack: 0 });
    expect(await checkInvariants(books)).toEqual([]);
  });

  test('C03 – is given back once, however many sweeps run at the same time', async () => {
    await books.placed('K1', 1);
    for (let i = 0; i < 4; i++) await books.ghost('K1', 2);
    await books.ahead(AFTER_PROOF_AGE);
    await Promise.all(Array.from({ length: 5 }, () => sweepGhostHolds(books.sweep)));
    await books.settle();
    expect(await books.look('K1')).toMatchObject({ deducted: 1 });
    expect(await abandoned()).toBe(4);
    expect(await checkInvariants(books)).toEqual([]);
  });

  test('C05 – is given back by a later sweep when the reply to the first give-back was lost', async () => {
    const reservationId = await books.ghost('K1', 1);
    await abandonHolds(books.pool, [{ shopId: 'S1', skuId: 'K1', reservationId, quantity: 1 }]);
    await books.ahead(AFTER_PROOF_AGE);
    expect(await sweepGhostHolds(books.sweep)).toMatchObject({ abandoned: 0, givenBack: 1 });
    await books.gate.giveBack([{ shopId: 'S1', skuId: 'K1', reservationId, quantity: 1 }]);
    expect(await books.look('K1')).toEqual({ total: 10, deducted: 0, holds: [] });
  });

  test('P17 – is swept also beside foreign text in the hold set, and the log says what was freed', async () => {
    const ghost = await books.ghost('K1', 2);
    await books.redis.zadd(skuKeys({ shopId: 'S1', skuId: 'K1' })[2], 1, 'left by somebody');
    await books.ahead(AFTER_PROOF_AGE);
    expect(await sweepGhostHolds(books.sweep)).toMatchObject({ looked: 2, abandoned: 1, givenBack: 1 });
    expect(await books.log('REPAIR')).toMatchObject([
      {
        skuId: 'K1',
        actor: 'gate.sweep-ghost-holds',
        before: { deducted: 2, holds: 2, reservations: [ghost] },
        after: { action: 'SWEEP', givenBack: 1, units: 2 },
      },
    ]);
  });

  test('P17 – is abandoned for ever: a process that wakes up late cannot make an order of it', async () => {
    await books.close();
    let sleeping = true;
    books = await openTestBooks('sweep');
    await books.stock('K1', 1);
    const desk = {
      ...books.desk,
      stopAt: async (point: string) => {
        if (!sleeping || point !== 'order.before-commit') return;
        sleeping = false;
        await books.ahead(AFTER_PROOF_AGE);
        await sweepGhostHolds(books.sweep);
      },
    };
    const result = await placeOrder(desk, {
      key: mint<'key'>(),
      buyerId: mint<'BuyerId'>(),
      traceId: 'test',
      lines: [{ shopId: 'S1', skuId: 'K1', quantity: 1, unitPriceMinor: 1999 }],
    });
    expect(result).toMatchObject({ kind: 'placed' });
    const { rows } = await books.pool.query(
      'SELECT h.reservation_id FROM tinystore_order.order_line_hold h JOIN tinystore_inventory.abandoned_hold a USING (reservation_id)',
    );
    expect(rows).toEqual([]);
    expect(await abandoned()).toBe(1);
    expect(await books.look('K1')).toMatchObject({ deducted: 1 });
  });
});

describe('a hold that an order names', () => {
  test('P17 – that became an order after the look is found again under the lock, and stays', async () => {
    const taken = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const stopAt = async (point: string) => {
      if (point !== 'order.before-commit') return;
      taken.resolve();
      await goOn.promise;
    };
    const line = { shopId: 'S1', skuId: 'K1', quantity: 2, unitPriceMinor: 1999 };
    const ids = { key: mint<'key'>(), buyerId: mint<'BuyerId'>(), traceId: 'test' };
    const placing = placeOrder({ ...books.desk, stopAt }, { ...ids, lines: [line] });
    await taken.promise;
    await books.ahead(AFTER_PROOF_AGE);
    const pool = beforeQuery(books.pool, 'abandon_holds', async () => {
      goOn.resolve();
      await placing;
    });
    expect(await sweepGhostHolds({ ...books.sweep, pool })).toMatchObject({ looked: 1, abandoned: 0, givenBack: 0 });
    expect(await placing).toMatchObject({ kind: 'placed' });
    expect(await abandoned()).toBe(0);
    expect(await books.look('K1')).toMatchObject({ deducted: 2 });
  });

  test('is never freed: neither before the ledger has its row, nor after', async () => {
    await books.placed('K1', 3);
    await books.ahead(AFTER_PROOF_AGE);
    expect(await sweepGhostHolds(books.sweep)).toMatchObject({ looked: 1, abandoned: 0, givenBack: 0, tombstones: 0 });
    await deliverEvents(books.pool);
    expect(await sweepGhostHolds(books.sweep)).toMatchObject({ looked: 1, abandoned: 0, givenBack: 0 });
    expect(await books.look('K1')).toMatchObject({ deducted: 3 });
    expect(await books.openIncidents()).toEqual([]);
  });

  test('is only settled once it is sold, and its units stay counted', async () => {
    const order = await books.placed('K1', 3);
    await books.settle();
    await books.paid(order.tradeId);
    await books.ahead(AFTER_PROOF_AGE);
    expect(await sweepGhostHolds(books.sweep)).toMatchObject({ settled: 0, givenBack: 0 });
    await books.loseEffects();
    expect(await sweepGhostHolds(books.sweep)).toMatchObject({ settled: 1, givenBack: 0 });
    expect(await books.look('K1')).toEqual({ total: 10, deducted: 3, holds: [] });
  });

  test('C25 – is given back once its row ended and no effect is left to do it', async () => {
    const order = await books.placed('K1', 3);
    await books.settle();
    await cancelOrder(books.desk, { tradeId: order.tradeId, by: { kind: 'buyer', buyerId: order.buyerId } });
    await deliverEvents(books.pool);
    await books.ahead(AFTER_PROOF_AGE);
    expect(await sweepGhostHolds(books.sweep)).toMatchObject({ givenBack: 0 });
    await books.loseEffects();
    expect(await sweepGhostHolds(books.sweep)).toMatchObject({ givenBack: 1 });
    expect(await books.look('K1')).toMatchObject({ deducted: 0, holds: [] });
  });

  test('gets its tombstone when its closed trade never reached the ledger, and a late RESERVE records nothing', async () => {
    const order = await books.placed('K1', 3);
    await cancelOrder(books.desk, { tradeId: order.tradeId, by: { kind: 'buyer', buyerId: order.buyerId } });
    expect(await sweepGhostHolds(books.sweep)).toMatchObject({ tombstones: 0 });
    await books.ahead(AFTER_PROOF_AGE);
    expect(await sweepGhostHolds(books.sweep)).toMatchObject({ tombstones: 1, abandoned: 0 });
    await books.settle();
    expect(await books.look('K1')).toMatchObject({ deducted: 0, holds: [] });
    const { rows } = await books.pool.query('SELECT status FROM tinystore_inventory.inventory_reservation');
    expect(rows).toEqual([{ status: 'RELEASED' }]);
    expect(await checkInvariants(books)).toEqual([]);
  });

  test('is an incident when it stays unproven for 30 minutes, which closes by itself', async () => {
    const order = await books.placed('K1', 1);
    await books.ahead(29 * 60_000);
    await sweepGhostHolds(books.sweep);
    expect(await books.openIncidents()).toEqual([]);
    await books.ahead(31 * 60_000);
    expect(await sweepGhostHolds(books.sweep)).toMatchObject({ unproven: 1, givenBack: 0 });
    await sweepGhostHolds(books.sweep);
    expect(await books.openIncidents()).toEqual([{ kind: 'GHOST_HOLD_UNPROVEN', subject: order.reservationId }]);
    await deliverEvents(books.pool);
    expect(await sweepGhostHolds(books.sweep)).toMatchObject({ unproven: 0 });
    expect(await books.openIncidents()).toEqual([]);
  });
});

test('a sweep with the gate closed frees nothing and closes no incident', async () => {
  const reservationId = await books.ghost('K1', 1);
  await books.pool.query(`INSERT INTO ops.incident (kind, subject, detail) VALUES ('GHOST_HOLD_UNPROVEN', $1, '{}')`, [
    reservationId,
  ]);
  await books.pool.query('UPDATE tinystore_inventory.gate_epoch SET open = false');
  await books.ahead(AFTER_PROOF_AGE);
  expect(await sweepGhostHolds(books.sweep)).toMatchObject({ looked: 0, givenBack: 0 });
  expect(await books.openIncidents()).toHaveLength(1);
});
