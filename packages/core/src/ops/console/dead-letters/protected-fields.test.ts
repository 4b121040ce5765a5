import { expect, test } from 'vitest';
import { changedProtected } from './protected-fields.ts';

const line = { reservationId: 'r1', shopId: 'S1', skuId: 'K1', quantity: 2 };
const before = { id: 'e1', type: 'INVENTORY_RELEASE', key: 'k', payload: { tradeId: 't', lines: [line], reason: '' } };
const payload = (more: object) => ({ ...before, payload: { ...before.payload, ...more } });

test('An edit may change what says nothing about units or money', () => {
  expect(changedProtected(before, payload({ reason: 'TIMED_OUT' }))).toEqual([]);
  expect(changedProtected(before, payload({ payUntil: '2026-01-01T00:00:00Z' }))).toEqual([]);
});

test.each([
  ['an id', { ...before, id: 'e2' }, ['id']],
  ['the type', { ...before, type: 'INVENTORY_CONFIRM' }, ['type']],
  ['a quantity', payload({ lines: [{ ...line, quantity: 3 }] }), ['payload.lines.0.quantity']],
  ['a SKU', payload({ lines: [{ ...line, skuId: 'K2' }] }), ['payload.lines.0.skuId']],
  ['money', payload({ totalMinor: 1 }), ['payload.totalMinor']],
  ['a list of ids', payload({ shopOrderIds: ['x'] }), ['payload.shopOrderIds.0']],
])('An edit may not change %s', (_, after, paths) => {
  expect(changedProtected(before, after)).toEqual(paths);
});

test('An edit may not add a line or leave one out', () => {
  expect(changedProtected(before, payload({ lines: [] }))).toHaveLength(4);
  expect(changedProtected(before, payload({ lines: [line, { ...line, reservationId: 'r2' }] }))).toHaveLength(4);
});
