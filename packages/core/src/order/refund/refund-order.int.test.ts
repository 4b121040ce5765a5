import { afterAll, beforeAll, expect, test } from 'vitest';
import { mint } from '../../domain/index.ts';
import { openIncidents, readBooks, readStock } from '../payment/payment-desk.testing.ts';
import { shipOrder } from '../shipping/ship-order.ts';
import { openRefundDesk, type RefundDesk, type SoldTrade } from './refund-desk.testing.ts';
import { type RefundWish, refundOrder } from './refund-order.ts';
import { sendRefunds } from './send-refunds.ts';

let desk: RefundDesk;
beforeAll(async () => {
  desk = await openRefundDesk('refund_order');
});
afterAll(() => desk.close());

const refund = (trade: SoldTrade, wish: RefundWish, key: string = mint<'key'>()) =>
  refundOrder(desk.deps, { tradeId: trade.tradeId, wish, idempotencyKey: key, by: desk.operator });
const units = (
  trade: SoldTrade,
  quantity: number,
  where: 'RESTOCK' | 'NO_RESTOCK' | 'DAMAGED' = 'RESTOCK',
): RefundWish => ({
  kind: 'lines',
  lines: [{ shopOrderId: trade.shopOrderIds[0] ?? '', skuId: trade.skuId, quantity, units: where }],
});
const rest = (shopOrderId?: string): RefundWish => ({ kind: 'rest', units: 'RESTOCK', shopOrderId });

async function movements(skuId: string): Promise<string[]> {
  const { rows } = await desk.pool.query<{ text: string }>(
    `SELECT kind || ' ' || quantity AS text FROM tinystore_inventory.stock_movement WHERE sku_id = $1 ORDER BY id`,
    [skuId],
  );
  return rows.map((row) => row.text);
}

test('C07 – units of a refund go back on sale once, however often it is repeated, sent or replayed', async () => {
  const trade = await desk.paid({ quantity: 4 });
  expect(await readStock(desk.pool, trade.skuId)).toEqual({ total: 6, reserved: 0, confirmed: 4 });
  const key = mint<'key'>();
  const answers = await Promise.all(Array.from({ length: 6 }, () => refund(trade, units(trade, 2), key)));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]).toMatchObject({
    kind: 'refunded',
    refunds: [{ amountMinor: 2 * 1999 }],
    returned: [{ quantity: 2 }],
  });
  for (let run = 0; run < 3; run++) await desk.send();
  await desk.pool.query(
    `WITH again AS (DELETE FROM tinystore_order.outbox_sent WHERE id IN (SELECT id FROM tinystore_order.outbox_event WHERE key = $1) RETURNING id)
     INSERT INTO tinystore_order.outbox_pending (id) SELECT id FROM again`,
    [trade.tradeId],
  );
  await desk.send();
  expect(await movements(trade.skuId)).toEqual(['RECEIPT 10', 'CONFIRM -4', 'RESTOCK 2']);
  expect(await readStock(desk.pool, trade.skuId)).toEqual({ total: 8, reserved: 0, confirmed: 4 });
  expect(await desk.paidBackMinor(trade.tradeId)).toBe(2 * 1999);
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({ trade: 'PAID', shopOrders: ['CONFIRMED'] });
});

test('P31 – damaged units and units kept out are paid for but never go back on sale', async () => {
  const trade = await desk.paid({ quantity: 3 });
  await refund(trade, units(trade, 1, 'DAMAGED'));
  await refund(trade, units(trade, 1, 'NO_RESTOCK'));
  await refund(trade, units(trade, 1, 'RESTOCK'));
  await desk.send();
  expect(await movements(trade.skuId)).toEqual(['RECEIPT 10', 'CONFIRM -3', 'RESTOCK 1']);
  expect(await desk.paidBackMinor(trade.tradeId)).toBe(trade.totalMinor);
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({ trade: 'REFUNDED', intent: 'REFUNDED' });
});

test('P31 – 20 operators refunding one line at once never give back more than was sold or paid', async () => {
  const trade = await desk.paid({ quantity: 5 });
  const answers = await Promise.all(Array.from({ length: 20 }, () => refund(trade, units(trade, 1))));
  expect(answers.filter((answer) => answer.kind === 'refunded')).toHaveLength(5);
  const codes = answers.flatMap((answer) => (answer.kind === 'refused' ? [answer.code] : []));
  expect(codes).toEqual(Array.from({ length: 15 }, () => 'REFUND_EXCEEDED'));
  expect(await refund(trade, rest())).toMatchObject({ code: 'REFUND_EXCEEDED' });
  await desk.send();
  expect(await desk.paidBackMinor(trade.tradeId)).toBe(trade.totalMinor);
  expect(await readStock(desk.pool, trade.skuId)).toEqual({ total: 10, reserved: 0, confirmed: 5 });
});

test('P31 – a partial refund leaves the state; REFUNDED comes with the last cent, and not before it is back', async () => {
  const trade = await desk.paid({ quantity: 3 });
  const line = { shopOrderId: trade.shopOrderIds[0] ?? '', skuId: trade.skuId, units: 'RESTOCK' as const };
  await refund(trade, { kind: 'lines', lines: [{ ...line, quantity: 0, amountMinor: 500 }] });
  await desk.send();
  expect((await readBooks(desk.pool, trade.tradeId)).trade).toBe('PAID');
  const all = await refund(trade, rest());
  expect(all).toMatchObject({ refunds: [{ amountMinor: trade.totalMinor - 500 }], returned: [{ quantity: 3 }] });
  expect((await readBooks(desk.pool, trade.tradeId)).trade).toBe('PAID');
  await desk.send();
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({ trade: 'REFUNDED', shopOrders: ['REFUNDED'] });
});

test('P31 – units that come back after all their money went pay nothing and still go back on sale', async () => {
  const trade = await desk.paid({ quantity: 2 });
  const line = { shopOrderId: trade.shopOrderIds[0] ?? '', skuId: trade.skuId, units: 'RESTOCK' as const };
  await refund(trade, { kind: 'lines', lines: [{ ...line, quantity: 0, amountMinor: trade.totalMinor }] });
  await desk.send();
  expect(await refund(trade, units(trade, 2))).toMatchObject({ refunds: [], returned: [{ quantity: 2 }] });
  expect(await readStock(desk.pool, trade.skuId)).toMatchObject({ total: 10 });
  expect(await desk.paidBackMinor(trade.tradeId)).toBe(trade.totalMinor);
});

test('a key used for another refund is refused, and so is a refund without a reason', async () => {
  const trade = await desk.paid({ quantity: 2 });
  const key = mint<'key'>();
  await refund(trade, units(trade, 1), key);
  expect(await refund(trade, units(trade, 2), key)).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  const silent = {
    tradeId: trade.tradeId,
    wish: rest(),
    idempotencyKey: mint<'key'>(),
    by: { name: 'ada', reason: ' ' },
  };
  expect(await refundOrder(desk.deps, silent)).toMatchObject({ code: 'INVALID_INPUT', field: 'reason' });
  await desk.send();
});

test('P30 – an order whose payment is still being booked is not refunded', async () => {
  const unpaid = { ...(await desk.trade()), shopOrderIds: [] };
  expect(await refund(unpaid, rest())).toMatchObject({ code: 'WRONG_STATE' });
  await desk.notify(unpaid);
  expect(await readBooks(desk.pool, unpaid.tradeId)).toMatchObject({ trade: 'PAID_PENDING' });
  expect(await refund(unpaid, rest())).toMatchObject({ code: 'WRONG_STATE' });
});

test('P31 – what a coupon paid is not paid back: its shop order is shipped, and REFUNDED when its units are back', async () => {
  const trade = await desk.trade({ shops: ['S1', 'S2'] });
  for (const statement of [
    'ALTER TABLE tinystore_order.order_line DISABLE TRIGGER order_line_kept',
    `UPDATE tinystore_order.order_line SET discount_minor = unit_price_minor WHERE shop_order_id IN
       (SELECT id FROM tinystore_order.shop_order WHERE shop_id = 'S1' AND trade_id = '${trade.tradeId}')`,
    `UPDATE tinystore_order.shop_order SET discount_minor = 1999, subtotal_minor = 0 WHERE shop_id = 'S1' AND trade_id = '${trade.tradeId}'`,
    `UPDATE tinystore_order.trade SET discount_minor = 1999, total_minor = 1999 WHERE id = '${trade.tradeId}'`,
    `UPDATE tinystore_order.payment_intent SET amount_minor = 1999 WHERE trade_id = '${trade.tradeId}'`,
    `INSERT INTO tinystore_order.promotion_lock (trade_id, coupon_code, discount_minor, status, remote)
     VALUES ('${trade.tradeId}', 'WHOLE-SHOP', 1999, 'LOCKED', true)`,
    'ALTER TABLE tinystore_order.order_line ENABLE TRIGGER order_line_kept',
  ])
    await desk.pool.query(statement);
  const sold = await desk.confirm({ ...trade, totalMinor: 1999 });
  const [free = '', paid = ''] = sold.shopOrderIds;
  expect(await shipOrder(desk.deps, { shopOrderId: free, by: { name: 'otto' } })).toEqual({ kind: 'shipped' });
  expect(await refund(sold, rest(free))).toMatchObject({ refunds: [], returned: [{ quantity: 1 }] });
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({
    trade: 'PAID',
    shopOrders: ['REFUNDED', 'CONFIRMED'],
  });
  expect(await refund(sold, rest(paid))).toMatchObject({ refunds: [{ amountMinor: 1999 }] });
  await desk.send();
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({ trade: 'REFUNDED', intent: 'REFUNDED' });
  expect(await desk.paidBackMinor(trade.tradeId)).toBe(1999);
});

async function onlyRefund(trade: SoldTrade) {
  const { rows } = await desk.pool.query<{ id: string; status: string; attempts: number }>(
    'SELECT id, status, attempts FROM tinystore_order.refund WHERE trade_id = $1',
    [trade.tradeId],
  );
  expect(rows).toHaveLength(1);
  return rows[0] ?? { id: '', status: '', attempts: 0 };
}
/** Lets the wait before the next attempt pass. */
const due = (id: string) =>
  desk.pool.query('UPDATE tinystore_order.refund SET next_attempt_at = ops.clock_now() WHERE id = $1', [id]);

test('a refund whose answer was lost is sent again under the same key, and the money goes back once', async () => {
  const trade = await desk.paid();
  await refund(trade, rest());
  desk.provider.answers.push('lose the reply');
  await desk.send();
  const { id, status } = await onlyRefund(trade);
  expect(status).toBe('SENT');
  expect((await readBooks(desk.pool, trade.tradeId)).trade).toBe('PAID');
  await due(id);
  const copies = Array.from({ length: 4 }, () => sendRefunds({ ...desk.deps, provider: desk.provider }, { limit: 10 }));
  await Promise.all(copies);
  expect(await onlyRefund(trade)).toMatchObject({ status: 'SUCCEEDED', attempts: 2 });
  expect(desk.provider.calls.filter((call) => call.refundId === id)).toHaveLength(2);
  expect(await desk.paidBackMinor(trade.tradeId)).toBe(trade.totalMinor);
});

test('a refund that the provider refuses is shown to a person, sent again, and the incident closes by itself', async () => {
  const trade = await desk.paid();
  await refund(trade, rest());
  desk.provider.answers.push({ kind: 'refused', reason: 'the card is closed' });
  await desk.send();
  const { id, status } = await onlyRefund(trade);
  expect(status).toBe('FAILED');
  expect(await openIncidents(desk.pool, id)).toEqual(['REFUND_NOT_DONE']);
  await desk.send();
  expect(await onlyRefund(trade)).toMatchObject({ status: 'FAILED', attempts: 1 });
  await due(id);
  await desk.send();
  expect(await onlyRefund(trade)).toMatchObject({ status: 'SUCCEEDED', attempts: 2 });
  expect(await openIncidents(desk.pool, id)).toEqual([]);
});

test('a refund that the provider has accepted is asked after until the money is back, and never sent twice', async () => {
  const trade = await desk.paid();
  await refund(trade, rest());
  desk.provider.answers.push({ kind: 'accepted', providerRef: 're_1' });
  await desk.send();
  const { id, status } = await onlyRefund(trade);
  expect(status).toBe('SENT');
  desk.provider.readings.push('accepted', 'unknown', 'succeeded');
  for (const state of ['PAID', 'PAID', 'REFUNDED']) {
    await due(id);
    await desk.send();
    expect((await readBooks(desk.pool, trade.tradeId)).trade).toBe(state);
  }
  expect(desk.provider.calls.filter((call) => call.refundId === id)).toHaveLength(1);
});

test('an accepted refund that the provider refuses afterwards is sent again', async () => {
  const trade = await desk.paid();
  await refund(trade, rest());
  desk.provider.answers.push({ kind: 'accepted', providerRef: 're_1' });
  await desk.send();
  const { id } = await onlyRefund(trade);
  desk.provider.readings.push('refused');
  for (const state of ['FAILED', 'SUCCEEDED']) {
    await due(id);
    await desk.send();
    expect(await onlyRefund(trade)).toMatchObject({ status: state });
  }
  expect(await desk.paidBackMinor(trade.tradeId)).toBe(trade.totalMinor);
});
