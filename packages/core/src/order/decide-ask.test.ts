import { expect, test } from 'vitest';
import { decideAsk } from './decide-ask.ts';

test.each([
  ['RESERVING', 'UNPAID', [null, null], 'INVENTORY_RESERVE_DB'],
  ['RESERVING', 'UNPAID', ['PRE_DEDUCTED', null], 'INVENTORY_RESERVE_DB'],
  ['RESERVING', 'UNPAID', ['PRE_DEDUCTED', 'PRE_DEDUCTED'], 'INVENTORY_RESERVED'],
  ['RESERVING', 'UNPAID', ['RELEASED', 'RELEASED'], undefined],
  ['RESERVING', 'CLOSED', [null, 'RELEASED'], 'INVENTORY_RELEASE'],
  ['RESERVING', 'CLOSED', ['EXPIRED', 'RELEASED'], 'INVENTORY_RELEASED'],
  ['CONFIRMING', 'PAID_PENDING', ['PRE_DEDUCTED'], 'INVENTORY_CONFIRM'],
  ['CONFIRMING', 'PAID_PENDING', ['CONFIRMED'], 'INVENTORY_CONFIRMED'],
  ['CONFIRMING', 'PAID_PENDING', ['CONFIRMED', 'RELEASED'], undefined],
  ['CONFIRMING', 'CLOSED', ['PRE_DEDUCTED'], undefined],
  ['RELEASING', 'CLOSED', ['PRE_DEDUCTED', null], 'INVENTORY_RELEASE'],
  ['RELEASING', 'CLOSED', ['EXPIRED'], 'INVENTORY_RELEASED'],
  ['RELEASING', 'CLOSED', ['CONFIRMED'], undefined],
  ['RELEASING', 'PAID', ['PRE_DEDUCTED'], undefined],
  ['RESERVED', 'UNPAID', ['PRE_DEDUCTED'], undefined],
  ['CONFIRMED', 'PAID', ['CONFIRMED'], undefined],
  ['RESERVING', 'UNPAID', [], undefined],
] as const)('%s of a trade that is %s with rows %j waits for %s', (status, trade, rows, wanted) => {
  expect(decideAsk(status, trade, rows)).toBe(wanted);
});
