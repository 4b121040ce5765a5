import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type LateMoneyDesk,
  openLateMoneyDesk,
  type PlacedOrder,
} from '../order/payment/late/late-money-desk.testing.ts';
import { inTransaction, type Sql } from '../platform/index.ts';
import { findBroken } from './invariants.ts';

let desk: LateMoneyDesk;
let revived: PlacedOrder;
let returned: PlacedOrder;
beforeAll(async () => {
  desk = await openLateMoneyDesk('late_money_invariants');
  await desk.stock('K', 2);
  revived = await desk.place([{ skuId: 'K', quantity: 1 }]);
  returned = await desk.place([{ skuId: 'K', quantity: 1 }]);
  for (const order of [revived, returned]) await desk.runOutOfTime(order);
  await desk.notify(revived);
  await desk.runJob();
  await desk.place([{ skuId: 'K', quantity: 1 }]);
  await desk.notify(returned);
  await desk.runJob();
});
afterAll(() => desk.close());

class Undo extends Error {}

/** What is broken after the change, which is then taken back. */
async function plant(change: (tx: Sql) => Promise<unknown>): Promise<string[]> {
  let found: string[] = [];
  await inTransaction(desk.pool, async (tx) => {
    await change(tx);
    found = (await findBroken(tx)).map(({ invariant, sentence }) => `${invariant}: ${sentence}`);
    throw new Undo();
  }).catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
  return found;
}

const LATE = 'UPDATE tinystore_order.late_payment SET';
const STATE = '10: late money whose state nothing bears out';
const TOLD = '10: late money that nobody is told of, or an incident of late money that has ended';
const ATTEMPT = '5: an id of an earlier or intended attempt that has not ended, or has no attempt behind it';

describe('each invariant of late money can fail', () => {
  test('a healthy desk breaks none', async () => {
    expect(await plant(async () => undefined)).toEqual([]);
  });
  test.each([
    [
      'money that claims to be back and is not',
      `${LATE} status = 'REFUNDED', ended_at = opened_at WHERE trade_id = $1`,
    ],
    [
      'money that claims to have revived a closed order',
      `${LATE} status = 'REVIVED', ended_at = opened_at WHERE trade_id = $1`,
    ],
    ['a refund of another amount', `${LATE} amount_minor = amount_minor - 1 WHERE trade_id = $1`],
    ['an end without its time', `${LATE} ended_at = opened_at WHERE trade_id = $1`],
  ])('%s', async (_, sql) => {
    expect(await plant((tx) => tx.query(sql, [returned.tradeId]))).toContain(STATE);
  });
  test('money that nobody is told of', async () => {
    const close = `UPDATE ops.incident SET status = 'CLOSED', closed_at = opened_at, closed_by = 'x' WHERE kind = 'LATE_MONEY'`;
    expect(await plant((tx) => tx.query(close))).toEqual([TOLD]);
  });
  test('an order that lives on money which was given back', async () => {
    const sql = `${LATE} status = 'OPEN', ended_at = NULL WHERE trade_id = $1`;
    expect(await plant((tx) => tx.query(sql, [revived.tradeId]))).toContain(
      '10: a paid order that is not confirmed, or confirmed units that nobody paid',
    );
  });
  test('intended ids that no attempt will end', async () => {
    const sql = `INSERT INTO tinystore_order.order_line_hold
        (reservation_id, shop_order_id, trade_id, shop_id, sku_id, quantity, attempt, state, gate_mode)
      SELECT gen_random_uuid(), shop_order_id, trade_id, shop_id, sku_id, quantity, 9, 'INTENDED', gate_mode
      FROM tinystore_order.order_line_hold WHERE trade_id = $1 AND state = 'CURRENT'`;
    expect(await plant((tx) => tx.query(sql, [returned.tradeId]))).toContain(ATTEMPT);
  });
});
