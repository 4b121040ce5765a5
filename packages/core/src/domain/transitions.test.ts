/**
 * The state machines of design section 4, written out a second time: every pair of states has its mark here (x allowed,
 * . refused), and the tables that guard the UPDATEs agree with it.
 */
import { expect, test } from 'vitest';
import { sourcesOf } from './index.ts';
import {
  DEAD_LETTER,
  PAYMENT_INTENT,
  PROMOTION_LOCK,
  REFUND,
  RESERVATION,
  RETURN_ITEM,
  SHOP_ORDER,
  TRADE,
} from './transitions.ts';

type Table = Record<string, readonly string[]>;
/** Column names stand in the order of the rows. */
const MACHINES: Record<string, { readonly table: Table; readonly pairs: string }> = {
  trade: {
    table: TRADE,
    pairs: `
      UNPAID       . x . . . x .
      PAID_PENDING . . x . . x .
      PAID         . . . x . . x
      SHIPPED      . . . . x . x
      RECEIVED     . . . . . . x
      CLOSED       . x . . . . x
      REFUNDED     . . . . . . .`,
  },
  'shop order': {
    table: SHOP_ORDER,
    pairs: `
      RESERVING  . x . . . . x x .
      RESERVED   . . x . . . x x .
      CONFIRMING . . . x . . x x .
      CONFIRMED  . . . . x . . . x
      SHIPPED    . . . . . x . . x
      RECEIVED   . . . . . . . . x
      RELEASING  . . . . . . . x .
      RELEASED   . . x . . . . . .
      REFUNDED   . . . . . . . . .`,
  },
  reservation: {
    table: RESERVATION,
    pairs: `
      PRE_DEDUCTED . x x x
      CONFIRMED    . . . .
      RELEASED     . . . .
      EXPIRED      . . . .`,
  },
  'payment intent': {
    table: PAYMENT_INTENT,
    pairs: `
      CREATED    . x x x x .
      PROCESSING . . x x x .
      FAILED     . x . x x .
      SUCCEEDED  . . . . . x
      CLOSED     . . . x . .
      REFUNDED   . . . . . .`,
  },
  refund: {
    table: REFUND,
    pairs: `
      REQUESTED . x . .
      SENT      . x x x
      SUCCEEDED . . . .
      FAILED    . x . .`,
  },
  'promotion lock': {
    table: PROMOTION_LOCK,
    pairs: `
      PENDING   . x . x x
      LOCKED    . . x x .
      COMMITTED . . . . .
      RELEASED  . x . . .
      REJECTED  . . . . .`,
  },
  'return item': {
    table: RETURN_ITEM,
    pairs: `
      REQUESTED . x x .
      REFUSED   . . . .
      RECEIVED  . . . x
      REFUNDED  . . . .`,
  },
  'dead letter': {
    table: DEAD_LETTER,
    pairs: `
      RETRYING  . . x x .
      PARKED    x . . x .
      DEAD      . . . x x
      RESOLVED  . . . . .
      DISCARDED . . . . .`,
  },
};

const rowsOf = (pairs: string) =>
  pairs
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));

test.each(Object.entries(MACHINES))(
  'Every pair of states of a %s is allowed or refused as the design says',
  (_name, { table, pairs }) => {
    const rows = rowsOf(pairs);
    const states = rows.map(([state = '']) => state);
    expect(Object.keys(table).sort()).toEqual([...states].sort());
    for (const [from = '', ...marks] of rows) {
      expect(marks).toHaveLength(states.length);
      for (const [index, to] of states.entries())
        expect({ from, to, allowed: sourcesOf(table, to).includes(from) }).toEqual({
          from,
          to,
          allowed: marks[index] === 'x',
        });
    }
  },
);

test.each(Object.entries(MACHINES))('A state that a %s does not have is entered from nowhere', (_name, { table }) => {
  expect(sourcesOf(table, 'LOST')).toEqual([]);
});
