import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRefundDesk, type RefundDesk, type SoldTrade } from '../order/refund/refund-desk.testing.ts';
import { refundOrder } from '../order/refund/refund-order.ts';
import { inTransaction } from '../platform/index.ts';
import { findBroken } from './invariants.ts';

/** A trade of two shops: one refunded in full, of the other one unit. Its own checks pass. */
let desk: RefundDesk;
let trade: SoldTrade;
beforeAll(async () => {
  desk = await openRefundDesk('invariants_after_sale');
  trade = await desk.paid({ shops: ['S1', 'S2'], quantity: 3 });
  const [whole = '', part = ''] = trade.shopOrderIds;
  const { tradeId, skuId } = trade;
  const by = desk.operator;
  await refundOrder(desk.deps, {
    ...{ tradeId, by, idempotencyKey: 'refund-whole' },
    wish: { kind: 'rest', units: 'RESTOCK', shopOrderId: whole },
  });
  await refundOrder(desk.deps, {
    ...{ tradeId, by, idempotencyKey: 'refund-part' },
    wish: { kind: 'lines', lines: [{ shopOrderId: part, skuId, quantity: 1, units: 'RESTOCK' }] },
  });
  await desk.send();
});
afterAll(() => desk.close());

class Undo extends Error {}

/** What is broken after the change, which is then taken back. */
async function plant(...statements: string[]): Promise<string[]> {
  let found: string[] = [];
  await inTransaction(desk.pool, async (tx) => {
    for (const statement of statements) await tx.query(statement);
    found = (await findBroken(tx)).map(({ sentence }) => sentence);
    throw new Undo();
  }).catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
  return found;
}
const O = 'tinystore_order';
const I = 'tinystore_inventory';
const open = `ALTER TABLE ${O}.refund DISABLE TRIGGER refund_final`;

test('a healthy shop has no violation', async () => {
  expect(await plant()).toEqual([]);
});

test.each([
  [
    'a restocked return and its one movement do not match',
    [`UPDATE ${O}.return_item SET quantity = 2 WHERE quantity = 1`],
  ],
  [
    'a restocked return and its one movement do not match',
    [`UPDATE ${O}.return_item SET units = 'DAMAGED' WHERE quantity = 1`],
  ],
  [
    'a line that does not say what came back of it and what was paid back for it',
    [`UPDATE ${O}.order_line SET returned_quantity = returned_quantity + 1 WHERE returned_quantity = 1`],
  ],
  [
    'a line that does not say what came back of it and what was paid back for it',
    [`UPDATE ${O}.order_line SET refunded_minor = refunded_minor - 1 WHERE returned_quantity = 3`],
  ],
  [
    'a refund of lines whose parts are not its amount, or units paid back by another refund than their own',
    [`UPDATE ${O}.refund_line SET amount_minor = amount_minor + 1 WHERE quantity = 1`],
  ],
  [
    'a refund of lines whose parts are not its amount, or units paid back by another refund than their own',
    [`UPDATE ${O}.return_item SET status = 'RECEIVED' WHERE quantity = 1`],
  ],
  ['more money asked back than its payment brought', [open, `UPDATE ${O}.refund SET amount_minor = amount_minor * 5`]],
  [
    'a shop order that is REFUNDED without all its money being back, or the other way round',
    [open, `UPDATE ${O}.refund SET status = 'SENT', succeeded_at = NULL`],
  ],
  [
    'a shop order that is REFUNDED without all its money being back, or the other way round',
    [`UPDATE ${O}.shop_order SET status = 'CONFIRMED' WHERE status = 'REFUNDED'`],
  ],
  ['a paid trade that does not follow its shop orders (P29)', [`UPDATE ${O}.trade SET status = 'REFUNDED'`]],
  ['a REFUNDED trade whose payment is not all back', [`UPDATE ${O}.trade SET status = 'REFUNDED'`]],
  [
    'units or money that an operator gave back without an audit entry',
    [`ALTER TABLE ops.audit_log DISABLE TRIGGER audit_log_append_only`, `DELETE FROM ops.audit_log`],
  ],
  ['the guard of refunds that have succeeded is not in force', [open]],
  [
    'more units confirmed and held than ever put in',
    [
      `ALTER TABLE ${I}.stock_movement DISABLE TRIGGER stock_movement_append_only`,
      `ALTER TABLE ${I}.inventory_reservation DISABLE TRIGGER inventory_reservation_final`,
      `UPDATE ${I}.inventory_reservation SET quantity = 14 WHERE shop_id = 'S1'`,
    ],
  ],
  [
    'the movements do not add up to total_quantity',
    [`UPDATE ${I}.inventory_stock SET total_quantity = total_quantity + 1`],
  ],
])('"%s" can fail', async (sentence, statements) => {
  expect(await plant(...statements)).toContain(sentence);
});

test('the database itself refuses what P31 forbids: restocked <= returned <= sold, refunded <= paid, one success', async () => {
  const refused = (sql: string) => expect(desk.pool.query(sql), sql).rejects.toThrow(/violates check|is final/);
  await refused(`UPDATE ${O}.order_line SET returned_quantity = quantity + 1`);
  await refused(`UPDATE ${O}.order_line SET restocked_quantity = returned_quantity + 1`);
  await refused(`UPDATE ${O}.order_line SET refunded_minor = quantity * unit_price_minor + 1`);
  await refused(`UPDATE ${O}.refund SET status = 'SENT', succeeded_at = NULL`);
});
