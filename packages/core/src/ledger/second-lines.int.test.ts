/** Guards of the ledger that another rule hides in everyday work: each is met here without the other. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '../platform/index.ts';
import { countWaiting } from '../testing/count-waiting.ts';
import { until } from '../testing/until.ts';
import { countEffects, countReservations, markPaid, readStock } from './ledger-books.testing.ts';
import { openTestLedger, type TestLedger } from './ledger-desk.testing.ts';
import { changeStock } from './sql/change-stock.ts';
import { insertEffects } from './sql/insert-effects.ts';

let ledger: TestLedger;
beforeEach(async () => {
  ledger = await openTestLedger();
});
afterEach(() => ledger.close());

test('P6 – One ended row has one effect of its kind, and a second one takes back all that came with it', async () => {
  ledger.mayBreak = true;
  await ledger.stock({ 'S1.K1': 5 });
  const orders = await ledger.place({ skuId: 'K1', quantity: 2 });
  await ledger.record(orders);
  await ledger.release(orders);
  const rows = orders.flatMap(({ tradeId, shopOrderId, lines }) =>
    lines.map((line) => ({ ...line, tradeId, shopOrderId })),
  );
  const again = inTransaction(ledger.pool, (tx) => insertEffects(tx, 'GIVE_BACK', rows));
  await expect(again).rejects.toMatchObject({ code: '23505' });
  expect(await countEffects(ledger.pool)).toEqual({ GIVE_BACK: 1 });
});

test('P6 – A row that has ended never moves again, whoever tries', async () => {
  ledger.mayBreak = true;
  await ledger.stock({ 'S1.K1': 5 });
  const orders = await ledger.place({ skuId: 'K1', quantity: 2 });
  await ledger.record(orders);
  await ledger.release(orders);
  for (const status of ['PRE_DEDUCTED', 'CONFIRMED', 'EXPIRED']) {
    const moving = ledger.pool.query('UPDATE tinystore_inventory.inventory_reservation SET status = $1', [status]);
    await expect(moving).rejects.toThrow();
  }
  expect(await countReservations(ledger.pool)).toEqual({ RELEASED: 1 });
});

test('P5 – A stock change that does not meet each of its rows changes none', async () => {
  await ledger.stock({ 'S1.K1': 5 });
  const one = { shopId: 'S1', total: 0, reserved: 1, confirmed: 0 };
  const change = inTransaction(ledger.pool, (tx) =>
    changeStock(tx, [
      { ...one, skuId: 'K1' },
      { ...one, skuId: 'nowhere' },
    ]),
  );
  await expect(change).rejects.toThrow('stock change met 1 of 2 rows');
  expect(await readStock(ledger.pool)).toEqual({ 'S1.K1': '5/0/0' });
});

test('P27 – A confirm waits for whoever has the trade, and judges what it finds then', async () => {
  ledger.mayBreak = true;
  await ledger.stock({ 'S1.K1': 5 });
  const orders = await ledger.place({ skuId: 'K1', quantity: 1 });
  const tradeId = orders[0]?.tradeId ?? '';
  await ledger.record(orders);
  await markPaid(ledger.pool, tradeId);
  const closing = await ledger.pool.connect();
  await closing.query('BEGIN');
  await closing.query(
    `UPDATE tinystore_order.trade SET status = 'CLOSED', close_reason = 'OPERATOR_CANCELLED', closed_at = ops.clock_now()
     WHERE id = $1`,
    [tradeId],
  );
  let done = false;
  const confirming = ledger.confirm(orders).finally(() => {
    done = true;
  });
  await until('the confirm stands behind the close', async () => done || (await countWaiting(ledger.pool)) > 0);
  await closing.query('COMMIT');
  closing.release();
  expect((await confirming).map((result) => result.outcome)).toEqual(['stale']);
  expect(await countReservations(ledger.pool)).toEqual({ PRE_DEDUCTED: 1 });
});
