import { afterAll, beforeAll, expect, test } from 'vitest';
import { mint } from '../../domain/index.ts';
import { readBooks, readStock } from '../payment/payment-desk.testing.ts';
import { shipOrder } from '../shipping/ship-order.ts';
import { type AnswerReturn, answerReturn } from './answer-return.ts';
import { openRefundDesk, type RefundDesk, type SoldTrade } from './refund-desk.testing.ts';
import { requestReturn } from './request-return.ts';

let desk: RefundDesk;
beforeAll(async () => {
  desk = await openRefundDesk('return_items');
});
afterAll(() => desk.close());

async function shipped(quantity: number): Promise<SoldTrade> {
  const trade = await desk.paid({ quantity });
  await shipOrder(desk.deps, { shopOrderId: trade.shopOrderIds[0] ?? '', by: { name: 'otto' } });
  return trade;
}
const wish = (trade: SoldTrade, quantity: number, key: string = mint<'key'>(), buyerId = trade.buyerId) =>
  requestReturn(desk.deps, {
    tradeId: trade.tradeId,
    buyerId,
    shopOrderId: trade.shopOrderIds[0] ?? '',
    skuId: trade.skuId,
    quantity,
    reason: 'too small',
    idempotencyKey: key,
  });
const answer = (returnItemId: string, kind: AnswerReturn['answer']) =>
  answerReturn(desk.deps, { returnItemId, answer: kind, by: { name: 'otto', reason: 'looked at it' } });
async function asked(trade: SoldTrade, quantity: number): Promise<string> {
  const made = await wish(trade, quantity);
  if (made.kind !== 'requested') throw new Error(made.code);
  return made.returnItemId;
}

test('P31 – a return is wished for, received, and paid; the units are on sale again and counted once', async () => {
  const trade = await shipped(3);
  const id = await asked(trade, 2);
  expect(await readStock(desk.pool, trade.skuId)).toMatchObject({ total: 7 });
  const receive = () => answer(id, { kind: 'receive', units: 'RESTOCK' });
  expect(await Promise.all([receive(), receive(), receive()])).toEqual(
    Array(3).fill({ kind: 'answered', status: 'RECEIVED' }),
  );
  expect(await readStock(desk.pool, trade.skuId)).toEqual({ total: 9, reserved: 0, confirmed: 3 });
  await desk.send();
  expect(await desk.paidBackMinor(trade.tradeId)).toBe(2 * 1999);
  expect(await receive()).toEqual({ kind: 'answered', status: 'REFUNDED' });
  expect(await answer(id, { kind: 'refuse' })).toMatchObject({ code: 'LINE_STATE' });
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({ trade: 'SHIPPED' });
});

test('a refused return moves nothing and leaves room for another wish', async () => {
  const trade = await shipped(1);
  const id = await asked(trade, 1);
  expect(await wish(trade, 1)).toMatchObject({ code: 'REFUND_EXCEEDED' });
  expect(await answer(id, { kind: 'refuse' })).toEqual({ kind: 'answered', status: 'REFUSED' });
  expect(await answer(id, { kind: 'receive', units: 'RESTOCK' })).toMatchObject({ code: 'LINE_STATE' });
  expect(await readStock(desk.pool, trade.skuId)).toMatchObject({ total: 9 });
  const second = await asked(trade, 1);
  await answer(second, { kind: 'receive', units: 'DAMAGED' });
  await desk.send();
  expect(await readStock(desk.pool, trade.skuId)).toMatchObject({ total: 9 });
  expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({ trade: 'REFUNDED' });
});

test('P31 – wishes and returns together never pass what was sold', async () => {
  const trade = await shipped(4);
  const wishes = await Promise.all(Array.from({ length: 10 }, () => wish(trade, 1)));
  expect(wishes.filter(({ kind }) => kind === 'requested')).toHaveLength(4);
  const ids = wishes.flatMap((made) => (made.kind === 'requested' ? [made.returnItemId] : []));
  await Promise.all(ids.map((id) => answer(id, { kind: 'receive', units: 'RESTOCK' })));
  await desk.send();
  expect(await readStock(desk.pool, trade.skuId)).toEqual({ total: 10, reserved: 0, confirmed: 4 });
  expect(await desk.paidBackMinor(trade.tradeId)).toBe(trade.totalMinor);
});

test('a wish is repeatable with its key, and only the buyer of a shipped order has one', async () => {
  const trade = await shipped(2);
  const key = mint<'key'>();
  const [first, second] = [await wish(trade, 1, key), await wish(trade, 1, key)];
  expect(second).toEqual(first);
  expect(await wish(trade, 2, key)).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  expect(await wish(trade, 1, mint(), mint())).toMatchObject({ code: 'NOT_FOUND' });
  expect(await wish(trade, 0)).toMatchObject({ code: 'INVALID_INPUT', field: 'quantity' });
  expect(await wish(await desk.paid(), 1)).toMatchObject({ code: 'WRONG_STATE' });
});
