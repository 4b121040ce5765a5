import { expect, test } from 'vitest';
import { decideLines, decideRest, type LineState } from './decide-refund.ts';
import { dueFor, worthOf } from './line-money.ts';

const line = (changes: Partial<LineState> = {}): LineState => ({
  shopOrderId: 'o1',
  shopId: 'S1',
  shopOrderStatus: 'CONFIRMED',
  skuId: 'K1',
  sold: 3,
  returned: 0,
  paidMinor: 1000,
  refundedMinor: 0,
  ...changes,
});
const wish = { shopOrderId: 'o1', skuId: 'K1', quantity: 1, units: 'RESTOCK' as const };

test('P31 – money splits over units to the cent, and the remainder goes to the last unit', () => {
  expect([0, 1, 2, 3].map((units) => worthOf(line(), units))).toEqual([0, 333, 666, 1000]);
  expect(worthOf({ sold: 7, paidMinor: 6 }, 6)).toBe(0);
});

test('C53 – however the units of a line come back, their refunds add up to exactly what was paid', () => {
  for (const paidMinor of [1, 2, 7, 999, 1000, 1999, 185_940, 59_980_000])
    for (const sold of [1, 2, 3, 7, 10])
      for (const steps of [[1], [2, 1], [3, 1, 1], [sold]]) {
        let [returned, refundedMinor] = [0, 0];
        for (let at = 0; returned < sold; at++) {
          const quantity = Math.min(steps[at % steps.length] ?? 1, sold - returned);
          const due = dueFor({ sold, returned, paidMinor, refundedMinor }, quantity);
          expect(Number.isInteger(due) && due >= 0).toBe(true);
          returned += quantity;
          refundedMinor += due;
        }
        expect(refundedMinor, `${paidMinor} over ${sold}`).toBe(paidMinor);
      }
});

test('P31 – a return pays only what is not refunded yet', () => {
  expect(decideLines([line({ refundedMinor: 333 })], [wish])).toMatchObject({
    parts: [{ quantity: 1, amountMinor: 0 }],
  });
  expect(decideLines([line({ refundedMinor: 100 })], [wish])).toMatchObject({ parts: [{ amountMinor: 233 }] });
  expect(decideLines([line({ returned: 2, refundedMinor: 766 })], [wish])).toMatchObject({
    parts: [{ amountMinor: 234 }],
  });
  expect(decideLines([line({ shopOrderStatus: 'REFUNDED', refundedMinor: 1000 })], [wish])).toMatchObject({
    parts: [{ quantity: 1, amountMinor: 0 }],
  });
});

test('P31 – more units than were sold, or more money than was paid, is refused', () => {
  const refused = (changes: Partial<LineState>, more: object) => decideLines([line(changes)], [{ ...wish, ...more }]);
  expect(refused({}, { quantity: 4 })).toMatchObject({ code: 'REFUND_EXCEEDED', field: 'quantity' });
  expect(refused({ returned: 2 }, { quantity: 2 })).toMatchObject({ code: 'REFUND_EXCEEDED' });
  expect(refused({}, { quantity: 0, amountMinor: 1001 })).toMatchObject({
    code: 'REFUND_EXCEEDED',
    field: 'amountMinor',
  });
  expect(refused({ refundedMinor: 999 }, { quantity: 0, amountMinor: 2 })).toMatchObject({ code: 'REFUND_EXCEEDED' });
  expect(decideRest([line({ returned: 3, refundedMinor: 1000 })], { units: 'RESTOCK' })).toMatchObject({
    code: 'REFUND_EXCEEDED',
  });
});

test('what makes no sense is refused by its field', () => {
  const code = (...wishes: object[]) =>
    decideLines(
      [line()],
      wishes.map((more) => ({ ...wish, ...more })),
    );
  expect(code({ quantity: -1 })).toMatchObject({ code: 'INVALID_INPUT', field: 'quantity' });
  expect(code({ quantity: 1.5 })).toMatchObject({ code: 'INVALID_INPUT' });
  expect(code({ quantity: 0 })).toMatchObject({ code: 'INVALID_INPUT', field: 'amountMinor' });
  expect(code({ amountMinor: -5 })).toMatchObject({ code: 'INVALID_INPUT' });
  expect(code({}, {})).toMatchObject({ code: 'INVALID_INPUT' });
  expect(code({ skuId: 'K2' })).toMatchObject({ code: 'NOT_FOUND' });
  expect(code()).toMatchObject({ code: 'INVALID_INPUT' });
  for (const shopOrderStatus of ['RESERVING', 'RESERVED', 'CONFIRMING', 'RELEASING', 'RELEASED'] as const)
    expect(decideLines([line({ shopOrderStatus })], [wish])).toMatchObject({ code: 'LINE_STATE' });
});
