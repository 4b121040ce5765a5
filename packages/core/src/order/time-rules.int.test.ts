/** The rules of time, proven by setting the clock: each a minute before and a minute after it strikes. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../platform/index.ts';
import { openTestBooks, type TestBooks } from '../reconcile/books.testing.ts';
import { reconcile, sweepGhostHolds } from '../reconcile/index.ts';
import { checkInvariants } from '../testing/invariants.ts';
import { endByTime } from './end-by-time.ts';
import { autoReceive } from './shipping/auto-receive.ts';
import { shipOrder } from './shipping/ship-order.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
let books: TestBooks;
beforeEach(async () => {
  books = await openTestBooks('time_rules');
  await books.stock('K1', 10);
});
afterEach(async () => {
  await books.settle();
  const broken = await checkInvariants(books);
  await books.close();
  expect(broken).toEqual([]);
});

const deps = () => ({ pool: books.pool, log: silentLog, waker: { wake: () => undefined } });
const end = async () => (await endByTime(deps(), { limit: 100 })).ended;
const statusOf = async (tradeId: string) => {
  const { rows } = await books.pool.query<{ status: string }>(
    'SELECT status FROM tinystore_order.trade WHERE id = $1',
    [tradeId],
  );
  return rows[0]?.status;
};

test('The 15-minute rule – an order that is not paid ends after 15 minutes and not before, and its units are free', async () => {
  const { tradeId } = await books.placed('K1', 3);
  await books.settle();
  await books.ahead(14 * MINUTE);
  expect(await end()).toBe(0);
  expect(await statusOf(tradeId)).toBe('UNPAID');
  await books.ahead(16 * MINUTE);
  expect(await end()).toBe(1);
  await books.settle();
  expect(await statusOf(tradeId)).toBe('CLOSED');
  expect(await books.look('K1')).toEqual({ total: 10, deducted: 0, holds: [] });
});

test.each(['its hold settled at the gate', 'its hold not yet settled'])(
  'A paid order is still counted after the sweep and the 30-minute limit have run, %s',
  async (gate) => {
    const { tradeId } = await books.placed('K1', 3);
    await books.settle();
    await books.paid(tradeId);
    if (gate.startsWith('its hold settled')) await books.settle();
    for (const minutes of [2, 16, 31, 120]) {
      await books.ahead(minutes * MINUTE);
      expect(await end()).toBe(0);
      await sweepGhostHolds(books.sweep);
      await reconcile(books.compare);
      expect(await books.look('K1')).toMatchObject({ total: 10, deducted: 3 });
    }
    await books.settle();
    expect(await statusOf(tradeId)).toBe('PAID');
    expect(await books.look('K1')).toEqual({ total: 10, deducted: 3, holds: [] });
    expect(await books.order([{ skuId: 'K1', quantity: 8 }])).toMatchObject({ code: 'SOLD_OUT', lines: [{ left: 7 }] });
  },
);

test('The 30-minute rule – a hold that nothing proves becomes an incident after 30 minutes, and is never given back for its age', async () => {
  // Its events are on their way for an hour: the ledger knows nothing of it.
  const { reservationId } = await books.placed('K1', 3);
  await books.ahead(29 * MINUTE);
  expect(await sweepGhostHolds(books.sweep)).toMatchObject({ unproven: 0, givenBack: 0 });
  expect(await books.openIncidents()).toEqual([]);
  await books.ahead(31 * MINUTE);
  expect(await sweepGhostHolds(books.sweep)).toMatchObject({ unproven: 1, givenBack: 0 });
  expect((await books.openIncidents()).map((incident) => incident.kind)).toEqual(['GHOST_HOLD_UNPROVEN']);
  expect(await books.look('K1')).toEqual({ total: 10, deducted: 3, holds: [reservationId] });
  // Recorded at last, it is proven, and the incident closes by itself.
  await books.settle();
  await sweepGhostHolds(books.sweep);
  expect(await books.openIncidents()).toEqual([]);
});

test('The 7-day rule – a shipped order counts as received after seven days and not before', async () => {
  const { tradeId, shopOrderId } = await books.placed('K1', 1);
  await books.settle();
  await books.paid(tradeId);
  await books.settle();
  expect(await shipOrder(deps(), { shopOrderId, by: { name: 'ada' } })).toEqual({ kind: 'shipped' });
  const { ORDER_AUTO_RECEIVE_TIMEOUT_SECONDS: afterSeconds } = books.config.order;
  await books.ahead(7 * DAY - MINUTE);
  expect(await autoReceive(deps(), { afterSeconds, limit: 10 })).toMatchObject({ changed: 0 });
  expect(await statusOf(tradeId)).toBe('SHIPPED');
  await books.ahead(7 * DAY + MINUTE);
  expect(await autoReceive(deps(), { afterSeconds, limit: 10 })).toMatchObject({ changed: 1, failed: 0 });
  expect(await statusOf(tradeId)).toBe('RECEIVED');
});
