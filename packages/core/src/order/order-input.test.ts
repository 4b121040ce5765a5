import { describe, expect, it } from 'vitest';
import { fingerprintOf, parsePlaceOrder, sumLines } from './order-input.ts';

const line = (more: object = {}) => ({ shopId: 'S1', skuId: 'K1', quantity: 1, unitPriceMinor: 1999, ...more });
const shipTo = { name: 'Ann', line1: 'Quay 1', postcode: '1000', city: 'Porto', country: 'PT' };
const order = (lines: unknown, more: object = {}) => ({ key: 'key-12345', lines, ...more });

describe('what a buyer may send', () => {
  const bad: [string, unknown, string][] = [
    ['a negative quantity', order([line({ quantity: -1 })]), 'lines.0.quantity'],
    ['no units', order([line({ quantity: 0 })]), 'lines.0.quantity'],
    ['half a unit', order([line({ quantity: 0.5 })]), 'lines.0.quantity'],
    ['a thousand million units', order([line({ quantity: 1e9 })]), 'lines.0.quantity'],
    ['2147483648 units', order([line({ quantity: 2147483648 })]), 'lines.0.quantity'],
    ['9007199254740993 units', order([line({ quantity: 2 ** 53 + 1 })]), 'lines.0.quantity'],
    ['1e308 units', order([line({ quantity: 1e308 })]), 'lines.0.quantity'],
    ['a quantity as text', order([line({ quantity: '1' })]), 'lines.0.quantity'],
    ['no line', order([]), 'lines'],
    ['10 000 lines', order(Array.from({ length: 10_000 }, () => line())), 'lines'],
    ['a foreign shop id', order([line({ shopId: 'S1:{x}' })]), 'lines.0.shopId'],
    ['a SKU with a blank', order([line({ skuId: 'K1 ' })]), 'lines.0.skuId'],
    ['a price of nothing', order([line({ unitPriceMinor: 0 })]), 'lines.0.unitPriceMinor'],
    ['no key', { lines: [line()] }, 'key'],
    ['a short key', order([line()], { key: 'short' }), 'key'],
    ['a cart id that is none', order([line()], { cartId: 'x' }), 'cartId'],
    ['a name with a NUL', order([line()], { shipTo: { ...shipTo, name: 'An\u0000n' } }), 'shipTo.name'],
    ['a street of two lines', order([line()], { shipTo: { ...shipTo, line1: 'Quay\n1' } }), 'shipTo.line1'],
    ['an escape in an address', order([line()], { shipTo: { ...shipTo, line2: 'x\u001b[2J' } }), 'shipTo.line2'],
    ['half a surrogate', order([line()], { shipTo: { ...shipTo, city: 'Porto \ud83d' } }), 'shipTo.city'],
    ['an e-mail with a NUL', order([line()], { email: 'a\u0000@example.com' }), 'email'],
    ['a list', [], 'body'],
    ['nothing', undefined, 'body'],
  ];
  for (const [what, input, field] of bad)
    it(`C50 ${what} is refused and the field named`, () => {
      expect(parsePlaceOrder(input)).toMatchObject({ kind: 'refused', code: 'INVALID_INPUT', field });
    });

  it('a name in any script, and with an emoji, is taken as it is', () => {
    const name = 'Zoë 王小明 ⚓️ 👩‍🚀';
    expect(parsePlaceOrder(order([line()], { shipTo: { ...shipTo, name } }))).toMatchObject({
      kind: 'parsed',
      value: { shipTo: { name } },
    });
  });

  it('C04 lines of one SKU become one, in a fixed order', () => {
    const summed = sumLines([line({ skuId: 'K2' }), line({ quantity: 2 }), line({ quantity: 3 })]);
    expect(summed.kind === 'summed' && summed.lines.map((l) => [l.skuId, l.quantity])).toEqual([
      ['K1', 5],
      ['K2', 1],
    ]);
  });

  it('C50 two lines that add up past the limit are refused', () => {
    expect(sumLines([line({ quantity: 9999 }), line({ quantity: 1 })])).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      field: 'lines',
    });
  });

  it('one SKU at two prices is refused', () => {
    expect(sumLines([line(), line({ unitPriceMinor: 1 })])).toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('P22 a fingerprint is equal for the same order and differs for any other', () => {
    const of = (input: object) => {
      const parsed = parsePlaceOrder(order([line()], input));
      if (parsed.kind !== 'parsed') throw new Error('not parsed');
      const summed = sumLines(parsed.value.lines);
      return summed.kind === 'summed' ? fingerprintOf(parsed.value, summed.lines) : '';
    };
    expect(of({})).toBe(of({ key: 'another-key' }));
    expect(of({ lines: [line({ quantity: 2 })] })).toBe(of({ lines: [line(), line()] }));
    const others = [
      of({}),
      of({ email: 'a@example.com' }),
      of({ lines: [line({ quantity: 2 })] }),
      of({ lines: [line({ unitPriceMinor: 2000 })] }),
    ];
    expect(new Set(others).size).toBe(4);
  });
});
