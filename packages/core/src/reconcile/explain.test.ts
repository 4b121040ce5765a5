import { describe, expect, test } from 'vitest';
import { explain } from './explain.ts';
import type { GateHold, HoldFacts, LiveHoldFacts, SkuFacts } from './facts.ts';

const NOW = 1_000_000_000;
const nothing: HoldFacts = { status: null, lineState: null, abandoned: false, effectPending: false };
const hold = (reservationId: string, quantity: number, ageMs = 120_000): GateHold => ({
  reservationId,
  quantity,
  takenAtMs: NOW - ageMs,
});
const live = (reservationId: string, quantity: number, recorded = true): LiveHoldFacts => ({
  reservationId,
  quantity,
  recorded,
});

interface Change {
  gate?: Partial<SkuFacts['gate']>;
  ledger?: Partial<SkuFacts['ledger']>;
  holds?: Record<string, Partial<HoldFacts>>;
}

/** 100 units received, 30 sold, and what `change` says. D follows from the holds unless given. */
function facts({ gate = {}, ledger = {}, holds = {} }: Change): SkuFacts {
  const held = gate.holds ?? [];
  return {
    gate: {
      epoch: 1,
      generation: 1,
      version: 5,
      total: 100,
      deducted: 30 + held.reduce((n, h) => n + h.quantity, 0),
      holds: held,
      ...gate,
    },
    ledger: {
      generation: 1,
      totalQuantity: 70,
      reservedQuantity: 0,
      confirmedQuantity: 30,
      live: [],
      raisePending: false,
      reloadPending: false,
      epoch: 1,
      nowMs: NOW,
      ...ledger,
    },
    holds: new Map(Object.entries(holds).map(([id, known]) => [id, { ...nothing, ...known }])),
    proofAgeMs: 60_000,
  };
}

const causes = (change: Change) => explain(facts(change)).rows.map((row) => `${row.cause} ${row.units}`);

describe('what is in flight is never called drift (P38)', () => {
  test.each<[string, Change, string, number]>([
    [
      'an order whose ledger row is on its way',
      { gate: { holds: [hold('a', 2)] }, ledger: { live: [live('a', 2, false)] } },
      'NOT_RECORDED',
      2,
    ],
    [
      'a give-back that is still to be applied',
      { gate: { holds: [hold('a', 2)] }, holds: { a: { status: 'RELEASED', effectPending: true } } },
      'GIVE_BACK_PENDING',
      2,
    ],
    [
      'an expiry that is still to be applied',
      { gate: { holds: [hold('a', 2)] }, holds: { a: { status: 'EXPIRED', effectPending: true } } },
      'GIVE_BACK_PENDING',
      2,
    ],
    [
      'a proven ghost, however old',
      { gate: { holds: [hold('a', 2, 9e6)] }, holds: { a: { abandoned: true } } },
      'ABANDONED',
      2,
    ],
    [
      'a hold younger than the proof age that no order names',
      { gate: { holds: [hold('a', 2, 59_000)] }, holds: { a: {} } },
      'JUST_TAKEN',
      2,
    ],
    [
      'a hold taken for a revive',
      { gate: { holds: [hold('a', 2)] }, holds: { a: { lineState: 'INTENDED' } } },
      'INTENDED',
      2,
    ],
  ])('%s', (_, change, cause, units) => {
    const found = explain(facts(change));
    expect(found.rows).toEqual([expect.objectContaining({ cause, units, holds: 1, sample: ['a'] })]);
    expect(found).toMatchObject({ agrees: true, risk: 'none', unexplainedUnits: 0 });
    expect(found.deducted).toMatchObject({ inFlight: units, unexplained: 0 });
  });

  test('a sale that is still to be settled moves only the hold set, not the count', () => {
    const found = explain(
      facts({
        gate: { holds: [hold('a', 2)], deducted: 30 },
        holds: { a: { status: 'CONFIRMED', effectPending: true } },
      }),
    );
    expect(found.rows).toEqual([expect.objectContaining({ cause: 'SETTLE_PENDING', units: 0, holds: 1 })]);
    expect(found.agrees).toBe(true);
  });

  test('stock that came in and is not raised yet', () => {
    const found = explain(facts({ gate: { total: 90 }, ledger: { raisePending: true } }));
    expect(found).toMatchObject({ agrees: true, capacity: { gate: 90, expected: 100, inFlight: -10, unexplained: 0 } });
  });

  test('every difference of a SKU that is about to be loaded anew, its generation included', () => {
    const found = explain(
      facts({ gate: { deducted: 27, generation: 1 }, ledger: { reloadPending: true, generation: 2 } }),
    );
    expect(found.agrees).toBe(true);
    expect(found.rows.every((row) => row.cause === 'RELOAD_PENDING')).toBe(true);
    expect(found.deducted).toMatchObject({ inFlight: -3, unexplained: 0 });
  });

  test('a SKU at rest has no row at all', () => {
    const found = explain(
      facts({ gate: { holds: [hold('a', 3)] }, ledger: { live: [live('a', 3)], reservedQuantity: 3 } }),
    );
    expect(found).toMatchObject({
      rows: [],
      agrees: true,
      risk: 'none',
      deducted: { gate: 33, expected: 33, confirmed: 30, preDeducted: 3, inFlight: 0, unexplained: 0 },
    });
  });
});

describe('what nothing explains is named, with the side it errs to (P36, P37)', () => {
  test.each<[string, Change, string, 'oversell' | 'undersell']>([
    ['a hold that no order names', { gate: { holds: [hold('a', 2)] }, holds: { a: {} } }, 'GHOST 2', 'undersell'],
    [
      'a hold whose line is a past one and has no row',
      { gate: { holds: [hold('a', 2)] }, holds: { a: { lineState: 'PAST' } } },
      'GHOST 2',
      'undersell',
    ],
    [
      'an ended hold that nothing gives back',
      { gate: { holds: [hold('a', 2)] }, holds: { a: { status: 'RELEASED' } } },
      'ENDED_BUT_HELD 2',
      'undersell',
    ],
    [
      'a sold hold that nothing settles',
      { gate: { holds: [hold('a', 2)], deducted: 30 }, holds: { a: { status: 'CONFIRMED' } } },
      'SOLD_BUT_HELD 0',
      'undersell',
    ],
    ['a recorded hold that the gate lost', { ledger: { live: [live('a', 2)] } }, 'MISSING_HOLD -2', 'oversell'],
    [
      'a hold with more units than the ledger has',
      { gate: { holds: [hold('a', 3)] }, ledger: { live: [live('a', 2)] } },
      'QUANTITY_DIFFERS 1',
      'undersell',
    ],
    [
      'a hold with fewer units than the ledger has',
      { gate: { holds: [hold('a', 1)] }, ledger: { live: [live('a', 2)] } },
      'QUANTITY_DIFFERS -1',
      'oversell',
    ],
    ['a counter above what was sold', { gate: { deducted: 33 } }, 'COUNTER_DIFFERS 3', 'undersell'],
    ['a counter below what was sold', { gate: { deducted: 27 } }, 'COUNTER_DIFFERS -3', 'oversell'],
    ['a capacity above the ledger', { gate: { total: 104 } }, 'CAPACITY_DIFFERS 4', 'oversell'],
    [
      'a capacity above the ledger although stock is coming in',
      { gate: { total: 104 }, ledger: { raisePending: true } },
      'CAPACITY_DIFFERS 4',
      'oversell',
    ],
    ['a capacity below the ledger', { gate: { total: 96 } }, 'CAPACITY_DIFFERS -4', 'undersell'],
    ['another generation', { gate: { generation: 3 } }, 'GENERATION_DIFFERS 0', 'undersell'],
  ])('%s', (_, change, row, risk) => {
    expect(causes(change)).toEqual([row]);
    expect(explain(facts(change))).toMatchObject({ agrees: false, risk });
  });

  test('an ordered hold that the gate lost counts as in flight and as missing, so that the rows add up', () => {
    const found = explain(facts({ ledger: { live: [live('a', 2, false)] } }));
    expect(found.deducted).toMatchObject({ gate: 30, expected: 32, inFlight: 2, unexplained: -2 });
    expect(found.risk).toBe('oversell');
  });

  test('a missing and a foreign hold of equal units are two faults, not none', () => {
    const found = explain(
      facts({ gate: { holds: [hold('b', 2)] }, ledger: { live: [live('a', 2)] }, holds: { b: {} } }),
    );
    expect(found.deducted.unexplained).toBe(0);
    expect(found).toMatchObject({ agrees: false, unexplainedUnits: 4, risk: 'oversell' });
  });

  test('a plus and a minus of one cause stay two rows', () => {
    const found = explain(
      facts({ gate: { holds: [hold('a', 3), hold('b', 1)] }, ledger: { live: [live('a', 2), live('b', 2)] } }),
    );
    expect(found.rows.map((row) => row.units)).toEqual([1, -1]);
  });
});
