import { describe, expect, it } from 'vitest';
import { addressOf, queryOf, readFilter } from './reservation-filter.ts';

describe('filter of the reservations', () => {
  it('is the same after it went through the address', () => {
    const filter = { trade: '0198c1f0-0000-7000-8000-000000000001', sku: 'STORM-TEE-M', status: 'CONFIRMED' } as const;
    const { searchParams } = new URL(addressOf(filter), 'http://localhost');
    expect(readFilter(searchParams)).toEqual(filter);
  });

  it('asks for nothing that was left empty or is not known', () => {
    const filter = readFilter(new URLSearchParams('trade=&shop=%20&sku=&status=NEVER'));
    expect(queryOf(filter)).toEqual({});
    expect(addressOf(filter)).toBe('/ops/reservations');
  });
});
