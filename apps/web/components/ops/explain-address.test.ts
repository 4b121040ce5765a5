import { expect, test } from 'vitest';
import { explainAddress, readExplain } from './explain-address.ts';

const query = (address: string) => new URL(address, 'http://x').searchParams;

test('A link to an explanation asks the same again, of the same instant', () => {
  const at = new Date('2026-03-01T10:00:00.123Z');
  const address = explainAddress({ shopId: 'S1', skuId: 'K.1', figure: 'drift', at, row: 'GHOST' });
  expect(address).toBe('/ops/explain/S1/K.1?figure=drift&at=2026-03-01T10%3A00%3A00.123Z&row=GHOST');
  expect(readExplain(query(address))).toEqual({ figure: 'drift', at, row: 'GHOST' });
});

test('What nobody can mean asks for D now', () => {
  expect(readExplain(new URLSearchParams('figure=x&at=y'))).toEqual({
    figure: 'deducted',
    at: undefined,
    row: undefined,
  });
});
