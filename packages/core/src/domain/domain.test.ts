import { describe, expect, it } from 'vitest';
import {
  checkTransitions,
  freeUnits,
  gateCapacity,
  gateDeducted,
  InvalidValue,
  minorUnits,
  mint,
  parseMoney,
  plainMoney,
  quantity,
  RESERVATION,
  SHOP_ORDER,
  shopId,
  skuId,
  sourcesOf,
  sum,
  TRADE,
  times,
  tradeId,
} from './index.ts';

describe('ids', () => {
  it('C52 look-alike codes are refused, never trimmed or folded', () => {
    expect(skuId('ABC')).toBe('ABC');
    expect(skuId('abc')).not.toBe(skuId('ABC'));
    for (const text of [
      'ABC ',
      ' ABC',
      'A  BC',
      'A:B',
      '{A}',
      '',
      'x'.repeat(65),
      '\u00C5B',
      'A\u030AB',
      '\u039CX',
      'A\u200DB',
      'A\u200FB',
      'A\n',
    ])
      expect(() => skuId(text), JSON.stringify(text)).toThrow(InvalidValue);
    expect(() => shopId('S/1')).toThrow(InvalidValue);
  });

  it('an id has one spelling', () => {
    expect(() => tradeId('0192F5A0-0000-7000-8000-000000000000')).toThrow(InvalidValue);
    expect(tradeId('0192f5a0-0000-7000-8000-000000000000')).toBe('0192f5a0-0000-7000-8000-000000000000');
  });

  it('minted ids are unique and rise within a process', () => {
    const ids = Array.from({ length: 20_000 }, () => mint<'TradeId'>());
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
    expect(() => ids.map(tradeId)).not.toThrow();
  });

  it('C50 a quantity is a whole number from 1 to 9 999', () => {
    expect([quantity(1), quantity(9999)]).toEqual([1, 9999]);
    for (const units of [0, -1, 1.5, 10_000, 1e9, 2147483648, 2 ** 53 + 1, 1e308, Number.NaN])
      expect(() => quantity(units)).toThrow(InvalidValue);
  });
});

describe('money', () => {
  it('C53 totals are exact in minor units', () => {
    const totals = (price: string) => [3, 7, 1000].map((units) => times(parseMoney(price, 'EUR'), units));
    expect(totals('0.01')).toEqual([3, 7, 1000]);
    expect(totals('19.99')).toEqual([5997, 13993, 1999000]);
    expect(totals('599.80')).toEqual([179940, 419860, 59980000]);
    expect(sum(['0.01', '19.99', '599.80'].map((price) => times(parseMoney(price, 'EUR'), 3)))).toBe(185940);
    expect(times(parseMoney('500', 'JPY'), 3)).toBe(1500);
    expect(times(parseMoney('1.005', 'KWD'), 3)).toBe(3015);
    expect(() => parseMoney('1.005', 'EUR')).toThrow(InvalidValue);
  });

  it('nothing but a plain decimal is an amount', () => {
    for (const text of ['-1', '1e3', ' 1', '1,5', '', '.5', '1.', '99999999999'])
      expect(() => parseMoney(text, 'EUR'), text).toThrow(InvalidValue);
    expect(() => minorUnits(0.1 + 0.2)).toThrow(InvalidValue);
    expect(() => times(minorUnits(999_999_999_999), 2)).toThrow(InvalidValue);
  });

  it('amounts are written in plain digits', () => {
    expect([
      plainMoney(minorUnits(5), 'EUR'),
      plainMoney(minorUnits(1500), 'JPY'),
      plainMoney(minorUnits(3015), 'KWD'),
    ]).toEqual(['0.05 EUR', '1500 JPY', '3.015 KWD']);
  });
});

describe('the one formula (P1)', () => {
  it('payment moves units from hand to confirmed and changes neither T nor D', () => {
    const before = { totalQuantity: 70, confirmedQuantity: 30, heldUnits: 40 };
    const after = { totalQuantity: 65, confirmedQuantity: 35, heldUnits: 35 };
    expect([gateCapacity(before), gateDeducted(before)]).toEqual([100, 70]);
    expect([gateCapacity(after), gateDeducted(after)]).toEqual([100, 70]);
    expect(freeUnits(100, 70)).toBe(30);
  });

  it('free units never go below zero', () => expect(freeUnits(5, 7)).toBe(0));
});

describe('transition tables', () => {
  it('name only states they define, and final states are empty rows', () => {
    expect(checkTransitions).not.toThrow();
    expect(
      Object.entries(RESERVATION)
        .filter(([, to]) => to.length === 0)
        .map(([from]) => from),
    ).toEqual(['CONFIRMED', 'RELEASED', 'EXPIRED']);
  });

  it('give the guard of each move', () => {
    expect(sourcesOf(TRADE, 'CLOSED')).toEqual(['UNPAID', 'PAID_PENDING']);
    expect(sourcesOf(SHOP_ORDER, 'RELEASED')).toEqual(['RESERVING', 'RESERVED', 'CONFIRMING', 'RELEASING']);
  });
});
