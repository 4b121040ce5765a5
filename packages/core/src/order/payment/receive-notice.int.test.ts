import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mint } from '../../domain/index.ts';
import { setClockOffset } from '../../testing/clock.ts';
import { deliverEvents } from '../../testing/deliver-events.ts';
import { placeTestTrade, putInLedger } from '../../testing/unpaid-trade.ts';
import { endByTime } from '../end-by-time.ts';
import { judgeNotices } from './judge-notices.ts';
import { matchUnmatched } from './match-unmatched.ts';
import { signNotice } from './notice-signature.ts';
import {
  openIncidents,
  openPaymentDesk,
  type PaymentDesk,
  readBooks,
  readStock,
  SECRET,
  setPayUntil,
} from './payment-desk.testing.ts';
import { receiveNotice } from './receive-notice.ts';

let desk: PaymentDesk;
beforeAll(async () => {
  desk = await openPaymentDesk('receive_notice');
});
afterAll(() => desk.close());

describe('C20 – A payment notice that comes before its order is not lost', () => {
  test('it is stored as unmatched and pays the order once that is there', async () => {
    const intentId = mint();
    await putInLedger(desk.pool, [{ shopId: 'S1', skuId: 'EARLY', units: 10 }]);
    const receipt = await desk.notify({ intentId, totalMinor: 1999 });
    expect(receipt).toMatchObject({ kind: 'stored', verdict: 'UNMATCHED' });
    const eventId = receipt.kind === 'stored' ? receipt.eventId : '';
    expect(await openIncidents(desk.pool, eventId)).toEqual(['UNMATCHED_PAYMENT']);
    expect(await matchUnmatched(desk.deps, { limit: 10 })).toMatchObject({ scanned: 0 });

    const trade = await placeTestTrade(desk.pool, { lines: [{ shopId: 'S1', skuId: 'EARLY', quantity: 1 }], intentId });
    // The same order, but its transaction began before the notice came: the money was there in time.
    expect(await matchUnmatched(desk.deps, { limit: 10 })).toMatchObject({ matched: 1, givenBack: 0 });
    await deliverEvents(desk.pool);
    expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({ trade: 'PAID', rows: ['CONFIRMED'] });
    expect(await openIncidents(desk.pool, eventId)).toEqual([]);
    expect(await matchUnmatched(desk.deps, { limit: 10 })).toMatchObject({ scanned: 0 });
  });

  test('a notice for an order that never existed is kept and listed as unmatched', async () => {
    for (const intentId of [mint(), 'pi_of_another_shop']) {
      const receipt = await desk.notify({ intentId, totalMinor: 1999 });
      expect(receipt).toMatchObject({ kind: 'stored', verdict: 'UNMATCHED' });
      expect(await openIncidents(desk.pool, receipt.kind === 'stored' ? receipt.eventId : '')).toEqual([
        'UNMATCHED_PAYMENT',
      ]);
    }
  });
});

test('an event id has one effect, however often and in parallel it is delivered', async () => {
  const trade = await desk.trade();
  const id = `evt_${mint()}`;
  const receipts = await Promise.all(Array.from({ length: 8 }, () => desk.notify(trade, { id })));
  expect(receipts.every((receipt) => receipt.kind === 'stored' && receipt.verdict === 'PAID')).toBe(true);
  const delivered = await deliverEvents(desk.pool);
  expect(delivered.filter((type) => type === 'INVENTORY_CONFIRM')).toHaveLength(1);
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({ trade: 'PAID', latePayments: [] });
});

test('a second success under another event id is kept as refund due and shown, and changes nothing', async () => {
  const trade = await desk.trade();
  await desk.notify(trade);
  const second = await desk.notify(trade);
  expect(second).toMatchObject({ verdict: 'SECOND' });
  await deliverEvents(desk.pool);
  expect(await desk.notify(trade)).toMatchObject({ verdict: 'SECOND' });
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({
    trade: 'PAID',
    rows: ['CONFIRMED'],
    latePayments: ['SECOND', 'SECOND'],
  });
  expect(await openIncidents(desk.pool, second.kind === 'stored' ? second.eventId : '')).toEqual(['SECOND_PAYMENT']);
});

test('money that comes after the time to pay ends the order and is kept as refund due', async () => {
  const trade = await desk.trade();
  await setPayUntil(desk.pool, trade.tradeId, -1);
  const late = await desk.notify(trade);
  expect(late).toMatchObject({ verdict: 'LATE' });
  await deliverEvents(desk.pool);
  expect(await readBooks(desk.pool, trade.tradeId)).toEqual({
    trade: 'CLOSED',
    closeReason: 'TIMED_OUT',
    intent: 'SUCCEEDED',
    shopOrders: ['RELEASED'],
    rows: ['EXPIRED'],
    openOrders: 0,
    latePayments: ['LATE'],
  });
  expect(await openIncidents(desk.pool, late.kind === 'stored' ? late.eventId : '')).toEqual(['LATE_MONEY']);
  expect(await readStock(desk.pool, trade.skuId)).toEqual({ total: 10, reserved: 0, confirmed: 0 });
});

test('money received in time and judged late beats expiry', async () => {
  const trade = await desk.trade();
  const stored = await storeUnjudged(desk, trade);
  await desk.pool.query(
    'UPDATE tinystore_order.trade t SET pay_until = e.received_at FROM tinystore_order.payment_event e WHERE t.id = $1 AND e.event_id = $2',
    [trade.tradeId, stored],
  );
  expect(await endByTime(desk.deps, { limit: 100 })).toEqual({ ended: 0, failed: [] });
  // A later notice that is judged first must not overtake it either.
  expect(await desk.notify(trade)).toMatchObject({ verdict: 'SECOND' });
  await deliverEvents(desk.pool);
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({
    trade: 'PAID',
    rows: ['CONFIRMED'],
    latePayments: ['SECOND'],
  });
});

test('a notice that cannot be judged now is stored, and the job judges it', async () => {
  const trade = await desk.trade();
  await storeUnjudged(desk, trade);
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({ trade: 'UNPAID' });
  expect(await judgeNotices(desk.deps, { limit: 10 })).toEqual({ judged: 1, failed: 0 });
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({
    trade: 'PAID_PENDING',
    intent: 'SUCCEEDED',
    shopOrders: ['CONFIRMING'],
  });
});

test('a success that cannot be judged is told to a person, and judged once the cause is gone', async () => {
  const trade = await desk.trade();
  await desk.pool.query(`
    CREATE FUNCTION refuse_paid() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'this order cannot be paid'; END $$;
    CREATE TRIGGER refuse_paid BEFORE UPDATE ON tinystore_order.trade FOR EACH ROW
      WHEN (NEW.status = 'PAID_PENDING') EXECUTE FUNCTION refuse_paid()`);
  try {
    const receipt = await desk.notify(trade);
    expect(receipt).toMatchObject({ kind: 'stored', verdict: null });
    const eventId = receipt.kind === 'stored' ? receipt.eventId : '';
    expect(await judgeNotices(desk.deps, { limit: 10 })).toEqual({ judged: 0, failed: 1 });
    expect(await openIncidents(desk.pool, eventId)).toEqual([]);
    await setClockOffset(desk.pool, 61_000);
    for (let run = 0; run < 2; run++)
      expect(await judgeNotices(desk.deps, { limit: 10 })).toEqual({ judged: 0, failed: 1 });
    expect(await openIncidents(desk.pool, eventId)).toEqual(['PAYMENT_NOT_JUDGED']);
    await desk.pool.query('DROP TRIGGER refuse_paid ON tinystore_order.trade');
    expect(await judgeNotices(desk.deps, { limit: 10 })).toEqual({ judged: 1, failed: 0 });
    expect(await openIncidents(desk.pool, eventId)).toEqual([]);
    expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({ trade: 'PAID_PENDING' });
  } finally {
    await desk.pool.query('DROP FUNCTION refuse_paid CASCADE');
    await setClockOffset(desk.pool, 0);
  }
});

test('P26 – money for units that were never recorded and are gone is late money, never a sale', async () => {
  const trade = await desk.trade({ shops: ['S1', 'S2'], recorded: false, without: 'S2' });
  expect(await desk.notify(trade)).toMatchObject({ verdict: 'LATE' });
  await deliverEvents(desk.pool);
  expect(await readBooks(desk.pool, trade.tradeId)).toEqual({
    trade: 'CLOSED',
    closeReason: 'OVER_ADMITTED',
    intent: 'SUCCEEDED',
    shopOrders: ['RELEASED', 'RELEASED'],
    rows: ['RELEASED', 'RELEASED'],
    openOrders: 0,
    latePayments: ['LATE'],
  });
});

test('an unsigned, wrongly signed or unreadable notice stores nothing', async () => {
  const now = Math.floor(Date.now() / 1000);
  const count = async () => (await desk.pool.query('SELECT 1 FROM tinystore_order.payment_event')).rowCount;
  const before = await count();
  const rawBody = Buffer.from('{"id":"evt_x"}');
  expect(await receiveNotice(desk.deps, { rawBody, signature: undefined })).toEqual({ kind: 'bad-signature' });
  expect(
    await receiveNotice(desk.deps, {
      rawBody,
      signature: signNotice(rawBody, ['wrong-secret-0123456789-0123456789-012'], now),
    }),
  ).toEqual({ kind: 'bad-signature' });
  expect(await receiveNotice(desk.deps, { rawBody, signature: signNotice(rawBody, [SECRET], now) })).toMatchObject({
    kind: 'refused',
    code: 'INVALID_INPUT',
  });
  expect(await count()).toBe(before);
});

/** The trade stays locked by somebody else for longer than judging is tried. */
async function storeUnjudged(
  on: PaymentDesk,
  trade: { tradeId: string; intentId: string; totalMinor: number },
): Promise<string> {
  const impatient = on.impatient(20);
  const holder = await on.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM tinystore_order.trade WHERE id = $1 FOR UPDATE', [trade.tradeId]);
    const receipt = await on.notify(trade, {}, impatient.deps);
    expect(receipt).toMatchObject({ kind: 'stored', verdict: null });
    return receipt.kind === 'stored' ? receipt.eventId : '';
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
    await impatient.end();
  }
}
