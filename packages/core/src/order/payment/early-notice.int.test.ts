import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mint } from '../../domain/index.ts';
import { setClockOffset } from '../../testing/clock.ts';
import { deliverEvents } from '../../testing/deliver-events.ts';
import { placeTestTrade, putInLedger, type TestTrade } from '../../testing/unpaid-trade.ts';
import { matchUnmatched } from './match-unmatched.ts';
import { openPaymentDesk, type PaymentDesk, readBooks, readStock } from './payment-desk.testing.ts';

let desk: PaymentDesk;
beforeAll(async () => {
  desk = await openPaymentDesk('early_notice');
});
afterAll(() => desk.close());

/** An order whose transaction is still open when its success arrives, and then ends as told. */
async function paidWhileItWaits(skuId: string, end: 'COMMIT' | 'ROLLBACK'): Promise<TestTrade & { eventId: string }> {
  await putInLedger(desk.pool, [{ shopId: 'S1', skuId, units: 10 }]);
  const session = await desk.pool.connect();
  try {
    await session.query('BEGIN');
    const lines = [{ shopId: 'S1', skuId, quantity: 1 }];
    const trade = await placeTestTrade(session, { lines, intentId: mint() });
    const receipt = await desk.notify(trade);
    expect(receipt).toMatchObject({ kind: 'stored', verdict: 'UNMATCHED' });
    await session.query(end);
    return { ...trade, eventId: receipt.kind === 'stored' ? receipt.eventId : '' };
  } finally {
    session.release();
  }
}

describe('C20 – A payment notice that comes before its order is not lost', () => {
  test('C20 – It comes while the order waits for its commit: it is stored, and pays the order after that', async () => {
    const { tradeId } = await paidWhileItWaits('WAITS', 'COMMIT');
    expect(await matchUnmatched(desk.deps, { limit: 10 })).toMatchObject({ matched: 1, givenBack: 0 });
    await deliverEvents(desk.pool);
    expect(await readBooks(desk.pool, tradeId)).toMatchObject({ trade: 'PAID', rows: ['CONFIRMED'], latePayments: [] });
    expect(await readStock(desk.pool, 'WAITS')).toEqual({ total: 9, reserved: 0, confirmed: 1 });
  });

  test('C20 – The order rolls back instead: nothing is held, and the money is due back after 30 minutes', async () => {
    const { eventId } = await paidWhileItWaits('FALLS', 'ROLLBACK');
    expect(await matchUnmatched(desk.deps, { limit: 10 })).toMatchObject({ matched: 0, givenBack: 0 });
    await setClockOffset(desk.pool, 31 * 60_000);
    expect(await matchUnmatched(desk.deps, { limit: 10 })).toMatchObject({ matched: 0, givenBack: 1 });
    const { rows } = await desk.pool.query(
      'SELECT cause, status, amount_minor AS amount FROM tinystore_order.late_payment WHERE event_id = $1',
      [eventId],
    );
    expect(rows).toEqual([{ cause: 'UNMATCHED', status: 'OPEN', amount: 1999 }]);
    expect(await readStock(desk.pool, 'FALLS')).toEqual({ total: 10, reserved: 0, confirmed: 0 });
  });
});
