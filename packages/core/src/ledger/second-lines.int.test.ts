/** Guards of the ledger that another rule hides in everyday work: each is met here without the other. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '../platform/index.ts';
import { countWaiting } from '../testing/count-waiting.ts';
import { until } from '../testing/until.ts';
import { countEffects, countReservations, markPaid } from './ledger-books.testing.ts';
import { openTestLedger, type TestLedger } from './ledger-desk.testing.ts';
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
