import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mint } from '../domain/index.ts';
import { inTransaction } from '../platform/index.ts';
import { deliverEvents } from '../testing/deliver-events.ts';
import { until } from '../testing/until.ts';
import { type Canceller, cancelOrder } from './cancel-order.ts';
import { TRADE_MOVES } from './moves.ts';
import { judgeStored } from './payment/judge-stored.ts';
import {
  openPaymentDesk,
  type PaymentDesk,
  readBooks,
  readStock,
  setPayUntil,
} from './payment/payment-desk.testing.ts';
import { closeTrades } from './trade/close-trades.ts';
import { lockTrade } from './trade/lock-trade.ts';

let desk: PaymentDesk;
beforeAll(async () => {
  desk = await openPaymentDesk('cancel_order');
});
afterAll(() => desk.close());

const operator: Canceller = { kind: 'operator', name: 'otto', reason: 'the buyer called' };
const buyer = (trade: { buyerId: string }): Canceller => ({ kind: 'buyer', buyerId: trade.buyerId });

describe('C25 – Cancel goes by the state and never frees what is not held', () => {
  test.each(['buyer', 'operator'] as const)(
    'PRE_DEDUCTED becomes RELEASED once, by the %s, who gets success again',
    async (who) => {
      const trade = await desk.trade({ quantity: 2, shops: ['S1', 'S2'] });
      const command = { tradeId: trade.tradeId, by: who === 'buyer' ? buyer(trade) : operator };
      expect(await cancelOrder(desk.deps, command)).toEqual({ kind: 'closed' });
      expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({
        trade: 'CLOSED',
        intent: 'CLOSED',
        shopOrders: ['RELEASING', 'RELEASING'],
        rows: ['PRE_DEDUCTED', 'PRE_DEDUCTED'],
      });
      expect(await cancelOrder(desk.deps, command)).toEqual({ kind: 'closed' });
      const delivered = await deliverEvents(desk.pool);
      expect(delivered.filter((type) => type === 'INVENTORY_RELEASE')).toHaveLength(2);
      expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({
        shopOrders: ['RELEASED', 'RELEASED'],
        rows: ['RELEASED', 'RELEASED'],
        openOrders: 0,
      });
      expect(await readStock(desk.pool, trade.skuId)).toEqual({ total: 10, reserved: 0, confirmed: 0 });
      expect(
        await cancelOrder(desk.deps, { tradeId: trade.tradeId, by: who === 'buyer' ? operator : buyer(trade) }),
      ).toMatchObject({ code: 'ALREADY_CLOSED' });
      const { rows } = await desk.pool.query('SELECT actor, reason FROM ops.audit_log WHERE target = $1', [
        trade.tradeId,
      ]);
      expect(rows).toEqual(who === 'buyer' ? [] : [{ actor: 'otto', reason: 'the buyer called' }]);
    },
  );

  test('an order not recorded yet is released too, whichever of RESERVE and RELEASE comes first', async () => {
    const trade = await desk.trade({ recorded: false });
    expect(await cancelOrder(desk.deps, { tradeId: trade.tradeId, by: buyer(trade) })).toEqual({ kind: 'closed' });
    await deliverEvents(desk.pool, ['INVENTORY_RELEASE', 'INVENTORY_RELEASED']);
    expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({ shopOrders: ['RELEASED'], rows: ['RELEASED'] });
    await deliverEvents(desk.pool);
    expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({
      shopOrders: ['RELEASED'],
      rows: ['RELEASED'],
      openOrders: 0,
    });
    expect(await readStock(desk.pool, trade.skuId)).toEqual({ total: 10, reserved: 0, confirmed: 0 });
  });

  test('a paid order is refused, with the confirm on its way and CONFIRMED', async () => {
    const trade = await desk.trade({ quantity: 2 });
    await desk.notify(trade);
    for (const by of [buyer(trade), operator])
      expect(await cancelOrder(desk.deps, { tradeId: trade.tradeId, by })).toMatchObject({ code: 'ALREADY_PAID' });
    await deliverEvents(desk.pool);
    for (const by of [buyer(trade), operator])
      expect(await cancelOrder(desk.deps, { tradeId: trade.tradeId, by })).toMatchObject({ code: 'ALREADY_PAID' });
    expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({ trade: 'PAID', rows: ['CONFIRMED'] });
    expect(await readStock(desk.pool, trade.skuId)).toEqual({ total: 8, reserved: 0, confirmed: 2 });
  });

  test('CLOSED by others, REFUNDED and shipped orders: each way is refused by the one table, and nothing moves', async () => {
    const trade = await desk.trade({ quantity: 2 });
    await desk.notify(trade);
    await deliverEvents(desk.pool);
    const ways: Canceller[] = [buyer(trade), operator, { ...operator, ifPaid: 'close-and-refund' }];
    for (const by of ways) {
      const answer = await cancelOrder(desk.deps, { tradeId: trade.tradeId, by });
      const [code, message] = TRADE_MOVES.PAID[by.kind === 'operator' && by.ifPaid ? 'closeAndRefund' : 'cancel'] ?? [];
      expect(answer).toMatchObject({ code, message });
    }
    expect(await readStock(desk.pool, trade.skuId)).toEqual({ total: 8, reserved: 0, confirmed: 2 });
  });

  test('an order past its time has ended by time, not by the cancel', async () => {
    const trade = await desk.trade();
    await setPayUntil(desk.pool, trade.tradeId, -1);
    expect(await cancelOrder(desk.deps, { tradeId: trade.tradeId, by: buyer(trade) })).toMatchObject({
      code: 'ALREADY_CLOSED',
    });
    await deliverEvents(desk.pool);
    expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({
      trade: 'CLOSED',
      closeReason: 'TIMED_OUT',
      shopOrders: ['RELEASED'],
      rows: ['EXPIRED'],
      openOrders: 0,
    });
    expect(await cancelOrder(desk.deps, { tradeId: trade.tradeId, by: buyer(trade) })).toMatchObject({
      code: 'ALREADY_CLOSED',
    });
    expect(await readStock(desk.pool, trade.skuId)).toEqual({ total: 10, reserved: 0, confirmed: 0 });
  });

  test('another buyer, an unknown order and an operator without a reason are refused', async () => {
    const trade = await desk.trade();
    expect(await cancelOrder(desk.deps, { tradeId: trade.tradeId, by: buyer({ buyerId: mint() }) })).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await cancelOrder(desk.deps, { tradeId: mint(), by: operator })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await cancelOrder(desk.deps, { tradeId: trade.tradeId, by: { ...operator, reason: ' ' } })).toMatchObject({
      code: 'INVALID_INPUT',
      field: 'reason',
    });
    expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({ trade: 'UNPAID' });
  });
});

describe('C12 – A stale copy of an order never overwrites a newer payment state', () => {
  test('a cancel that waited for the payment reads again and is refused', async () => {
    const trade = await desk.trade();
    const cancelled = await inTransaction(desk.pool, async (tx) => {
      const locked = await lockTrade(tx, trade.tradeId);
      if (!locked) throw new Error('the trade is gone');
      const cancel = cancelOrder(desk.deps, { tradeId: trade.tradeId, by: buyer(trade) });
      await until(
        'the cancel waits for the trade',
        async () =>
          (
            await desk.pool.query(
              `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
            )
          ).rowCount === 1,
      );
      await storeNotice(trade);
      expect((await judgeStored(tx, locked)).status).toBe('PAID_PENDING');
      return { cancel };
    });
    expect(await cancelled.cancel).toMatchObject({ code: 'ALREADY_PAID' });
    await deliverEvents(desk.pool);
    expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({ trade: 'PAID', rows: ['CONFIRMED'] });
    expect(await readStock(desk.pool, trade.skuId)).toEqual({ total: 9, reserved: 0, confirmed: 1 });
  });

  test('a copy from before the payment cannot be used to close the order', async () => {
    const trade = await desk.trade();
    const copy = await inTransaction(desk.pool, (tx) => lockTrade(tx, trade.tradeId));
    await desk.notify(trade);
    if (!copy) throw new Error('the trade is gone');
    await expect(inTransaction(desk.pool, (tx) => closeTrades(tx, [copy], 'BUYER_CANCELLED'))).rejects.toThrow(
      'UNPAID',
    );
    expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({
      trade: 'PAID_PENDING',
      intent: 'SUCCEEDED',
      shopOrders: ['CONFIRMING'],
    });
  });

  test('an order of three lines is paid, confirm pending, until all three are confirmed', async () => {
    const trade = await desk.trade({ shops: ['S1', 'S2', 'S3'], units: 5 });
    await desk.notify(trade);
    expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({
      trade: 'PAID_PENDING',
      rows: ['PRE_DEDUCTED', 'PRE_DEDUCTED', 'PRE_DEDUCTED'],
    });
    await deliverEvents(desk.pool);
    expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({
      trade: 'PAID',
      shopOrders: ['CONFIRMED', 'CONFIRMED', 'CONFIRMED'],
      rows: ['CONFIRMED', 'CONFIRMED', 'CONFIRMED'],
    });
    for (const shopId of ['S1', 'S2', 'S3'])
      expect(await readStock(desk.pool, trade.skuId, shopId)).toEqual({ total: 4, reserved: 0, confirmed: 1 });
  });
});

test('money that was stored in time and not judged yet comes before the cancel', async () => {
  const trade = await desk.trade();
  await storeNotice(trade);
  expect(await cancelOrder(desk.deps, { tradeId: trade.tradeId, by: buyer(trade) })).toMatchObject({
    code: 'ALREADY_PAID',
  });
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({ trade: 'PAID_PENDING' });
});

/** A success notice that was stored in time by a process that died before it judged. */
async function storeNotice(trade: { tradeId: string; intentId: string; totalMinor: number }): Promise<void> {
  await desk.pool.query(
    `INSERT INTO tinystore_order.payment_event (event_id, intent_ref, trade_id, kind, attempt, amount_minor, currency, payload)
     VALUES ($1, $2, $3, 'SUCCEEDED', 1, $4, 'EUR', '{}')`,
    [`evt_${mint()}`, trade.intentId, trade.tradeId, trade.totalMinor],
  );
}
