import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestBooks, type TestBooks } from '../reconcile/books.testing.ts';
import { checkInvariants, waitUntilQuiet } from './invariants.ts';

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks('invariants_gate');
  await books.stock('K1', 10);
  await books.placed('K1', 3);
  await books.settle();
});
afterAll(async () => {
  await books.close();
});

describe('3: the gate', () => {
  const sentences = async () =>
    (await checkInvariants(books)).map((violation) => `${violation.invariant}: ${violation.detail}`);
  test('a counter, a hold, a capacity that differ from the ledger', async () => {
    await books.plant('K1', { deducted: 1 });
    expect(await sentences()).toEqual([expect.stringContaining('3: COUNTER_DIFFERS 1')]);
    await books.plant('K1', { deducted: -1, total: 1 });
    expect(await sentences()).toEqual([expect.stringContaining('3: CAPACITY_DIFFERS 1')]);
    await books.plant('K1', { total: -1 });
    expect(await sentences()).toEqual([]);
  });
  test('a hold that no order names, also while it is young', async () => {
    const reservationId = await books.ghost('K1', 1);
    expect(await sentences()).toEqual([expect.stringContaining(`3: JUST_TAKEN 1 (${reservationId})`)]);
    expect(await checkInvariants({ ...books, tolerate: ['JUST_TAKEN'] })).toEqual([]);
    await books.gate.giveBack([{ shopId: 'S1', skuId: 'K1', reservationId, quantity: 1 }]);
  });
  test('a gate that is closed or cannot be read', async () => {
    await books.pool.query('UPDATE tinystore_inventory.gate_epoch SET open = false');
    await books.gate.refresh();
    expect(await sentences()).toEqual(['3: GATE_CLOSED']);
    await expect(waitUntilQuiet(books, { limitMs: 200 })).rejects.toThrow('1 gate openings');
    await books.gatekeeper.runOnce();
    await books.gate.refresh();
    expect(await sentences()).toEqual([]);
  });
});

test('an order that is still under way is not quiet, and is named', async () => {
  await books.order([{ skuId: 'K1', quantity: 1 }]);
  await expect(waitUntilQuiet(books, { limitMs: 200 })).rejects.toThrow(/outbox events.*shop orders/);
  await books.settle();
  await waitUntilQuiet(books);
  expect(await checkInvariants(books)).toEqual([]);
});
