import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Candidate, judgeReservations } from './judge-reservations.ts';

function order(name: string, ...lines: [sku: string, units: number][]): Candidate {
  const rows = lines.map(([skuId, quantity], index) => ({
    reservationId: `${name}-${index}`,
    shopId: 'S1',
    skuId,
    quantity,
    tradeId: name,
    shopOrderId: name,
  }));
  return { shopOrderId: name, rows, ended: [] };
}
const stockOf = (units: Record<string, number>) =>
  Object.entries(units).map(([skuId, total]) => ({ shopId: 'S1', skuId, total, reserved: 0 }));

test('An order that does not fit is refused whole, and its units stay free for the next', () => {
  const verdicts = judgeReservations(
    [order('a', ['K1', 3], ['K2', 9]), order('b', ['K1', 4]), order('c', ['K1', 2])],
    stockOf({ K1: 5, K2: 1 }),
  );
  expect(verdicts.map((v) => v.short)).toEqual([['K2'], [], ['K1']]);
});

test('A SKU without a stock row has no units', () => {
  expect(judgeReservations([order('a', ['K9', 1])], []).map((v) => v.short)).toEqual([['K9']]);
});

test('No batch ever reserves more than the stock, and nobody is refused who would still fit', () => {
  const line = fc.tuple(fc.constantFrom('K1', 'K2', 'K3'), fc.integer({ min: 1, max: 6 }));
  const batch = fc.array(fc.array(line, { minLength: 1, maxLength: 4 }), { maxLength: 12 });
  fc.assert(
    fc.property(batch, fc.record({ K1: fc.nat(20), K2: fc.nat(20), K3: fc.nat(20) }), (orders, units) => {
      const free = new Map(Object.entries(units));
      for (const { candidate, short } of judgeReservations(
        orders.map((lines, index) => order(`o${index}`, ...lines)),
        stockOf(units),
      )) {
        const wanted = Map.groupBy(candidate.rows, (row) => row.skuId);
        const needs = [...wanted].map(([sku, rows]) => ({ sku, units: rows.reduce((n, r) => n + r.quantity, 0) }));
        expect(short.length === 0).toBe(needs.every((need) => need.units <= (free.get(need.sku) ?? 0)));
        if (short.length === 0) for (const need of needs) free.set(need.sku, (free.get(need.sku) ?? 0) - need.units);
      }
      expect([...free.values()].every((left) => left >= 0)).toBe(true);
    }),
  );
});
