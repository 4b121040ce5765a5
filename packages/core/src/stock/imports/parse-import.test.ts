import { expect, test } from 'vitest';
import { MAX_STOCK } from '../../domain/index.ts';
import { MAX_IMPORT_ROWS, parseImport } from './parse-import.ts';

const file = (...rows: string[]) => ['ref,shop,sku,change', ...rows].join('\n');

test('A file is read line by line, from any spreadsheet', () => {
  const rows = [
    { line: 2, ref: 'r1', shopId: 'S1', skuId: 'K1', change: 5 },
    { line: 3, ref: 'r2', shopId: 'S1', skuId: 'K1', change: -3 },
  ];
  expect(parseImport(file('r1,S1,K1,5', 'r2,S1,K1,-3'))).toEqual({ kind: 'parsed', rows });
  expect(parseImport('\uFEFFref;shop;sku;change\r\n"r1";S1;K1;+5\r\nr2;S1;"K1";-3\r\n\r\n')).toEqual({
    kind: 'parsed',
    rows,
  });
});

test.each([
  ['2147483648 lines up with no limit', file('r1,S1,K1,2147483648'), 'parsed'],
  ['9007199254740993', file('r1,S1,K1,9007199254740993'), 'line 2, change'],
  ['1e308', file('r1,S1,K1,1e308'), 'line 2, change'],
  ['one more than the most', file(`r1,S1,K1,${MAX_STOCK + 1}`), 'line 2, change'],
  ['nothing', file('r1,S1,K1,0'), 'line 2, change'],
  ['half a unit', file('r1,S1,K1,1.5'), 'line 2, change'],
])('C50 – A change of %s is taken or gives one error that names field and limit', (_what, text, field) => {
  const parsed = parseImport(text);
  if (field === 'parsed') expect(parsed.kind).toBe('parsed');
  else {
    expect(parsed).toMatchObject({ code: 'INVALID_INPUT', field });
    expect(parsed).toHaveProperty('message', expect.stringContaining(String(MAX_STOCK)));
  }
});

test.each([' K1', 'K1 ', 'K  1', 'ÅB', 'A\u030AB', 'K\u200D1', 'Κ1'])(
  'C52 – A SKU written as "%s" is refused, never trimmed or folded into another one',
  (sku) => {
    expect(parseImport(file(`r1,S1,${sku},5`))).toMatchObject({ code: 'INVALID_INPUT', field: 'line 2, sku' });
  },
);

test('C52 – Case makes another SKU', () => {
  const parsed = parseImport(file('r1,S1,abc,1', 'r2,S1,ABC,1'));
  expect(parsed).toMatchObject({ rows: [{ skuId: 'abc' }, { skuId: 'ABC' }] });
});

test('A file that is not one of changes is refused by line', () => {
  expect(parseImport('')).toMatchObject({ field: 'line 1, header' });
  expect(parseImport(file())).toMatchObject({ field: 'line 1, rows' });
  expect(parseImport(file('r1,S1,K1'))).toMatchObject({ field: 'line 2, columns' });
  expect(parseImport(file('r1,S1,K1,1', '', 'r3,S1,K1,1'))).toMatchObject({ field: 'line 3, columns' });
  expect(parseImport(file('r1,S1,K1,1', 'r1,S1,K2,1'))).toMatchObject({ field: 'line 3, ref' });
  const long = Array.from({ length: MAX_IMPORT_ROWS + 1 }, (_, i) => `r${i},S1,K1,1`);
  expect(parseImport(file(...long))).toMatchObject({ field: 'line 1, rows' });
});
