import { expect, test } from 'vitest';
import type { ReservationStatus } from '../domain/index.ts';
import { judgeConfirm, namesPresentAttempt } from './judge-confirm.ts';

const holds = ['r1', 'r2'].map((reservationId, index) => ({
  reservationId,
  shopId: 'S1',
  skuId: `K${index}`,
  quantity: 1,
  tradeId: 't',
  shopOrderId: `o${index}`,
}));
const rows = (...statuses: ReservationStatus[]) => new Map(statuses.map((status, index) => [`r${index + 1}`, status]));

test('A paid trade is confirmed whole, or not at all', () => {
  expect(judgeConfirm('PAID_PENDING', holds, rows('PRE_DEDUCTED', 'PRE_DEDUCTED')).outcome).toBe('confirmed');
  expect(judgeConfirm('PAID_PENDING', holds, rows('CONFIRMED', 'CONFIRMED')).outcome).toBe('already');
  expect(judgeConfirm('PAID_PENDING', holds, rows('PRE_DEDUCTED')).outcome).toBe('no-row');
  const conflict = judgeConfirm('PAID_PENDING', holds, rows('PRE_DEDUCTED', 'EXPIRED'));
  expect(conflict.outcome).toBe('conflict');
  expect(conflict.rows.map((row) => row.reservationId)).toEqual(['r1']);
});

test('Only a trade in PAID_PENDING is confirmed', () => {
  const open = rows('PRE_DEDUCTED', 'PRE_DEDUCTED');
  expect(judgeConfirm('PAID', holds, open).outcome).toBe('already');
  for (const status of ['UNPAID', 'CLOSED', 'REFUNDED'] as const)
    expect(judgeConfirm(status, holds, open)).toEqual({ outcome: 'stale', rows: [] });
  expect(judgeConfirm(undefined, [], new Map()).outcome).toBe('no-row');
});

test('Ids of another attempt or another shop order are not the present attempt', () => {
  expect(namesPresentAttempt({ shopOrderId: 'o0', reservationIds: ['r1'] }, holds)).toBe(true);
  expect(namesPresentAttempt({ shopOrderId: 'o0', reservationIds: ['r2'] }, holds)).toBe(false);
  expect(namesPresentAttempt({ shopOrderId: 'o0', reservationIds: ['r1', 'old'] }, holds)).toBe(false);
  expect(namesPresentAttempt({ shopOrderId: 'o0', reservationIds: [] }, holds)).toBe(false);
});
