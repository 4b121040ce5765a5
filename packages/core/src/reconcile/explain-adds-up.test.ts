import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DRIFT_CAUSES } from './causes.ts';
import { explain } from './explain.ts';
import type { GateHold, HoldFacts, LiveHoldFacts } from './facts.ts';

const NOW = 1_000_000_000;
const nothing: HoldFacts = { status: null, lineState: null, abandoned: false, effectPending: false };
const hold = (reservationId: string, quantity: number, ageMs: number): GateHold => ({
  reservationId,
  quantity,
  takenAtMs: NOW - ageMs,
});
const live = (reservationId: string, quantity: number, recorded: boolean): LiveHoldFacts => ({
  reservationId,
  quantity,
  recorded,
});

test('for whatever is found, the rows add up to both figures', () => {
  const state = fc.record({
    atGate: fc.boolean(),
    live: fc.boolean(),
    recorded: fc.boolean(),
    gateUnits: fc.integer({ min: 1, max: 9 }),
    ledgerUnits: fc.integer({ min: 1, max: 9 }),
    ageMs: fc.integer({ min: 0, max: 200_000 }),
    status: fc.constantFrom('CONFIRMED', 'RELEASED', 'EXPIRED', null),
    lineState: fc.constantFrom('INTENDED', 'PAST', null),
    abandoned: fc.boolean(),
    effectPending: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(state, { maxLength: 12 }),
      fc.integer({ min: 0, max: 200 }),
      fc.integer({ min: 0, max: 200 }),
      fc.boolean(),
      fc.boolean(),
      (states, deducted, total, raisePending, reloadPending) => {
        const ids = states.map((_, i) => `h${i}`);
        const found = explain({
          gate: {
            epoch: 1,
            generation: 1,
            version: 1,
            total,
            deducted,
            holds: states.flatMap((s, i) => (s.atGate ? [hold(ids[i] ?? '', s.gateUnits, s.ageMs)] : [])),
          },
          ledger: {
            generation: 1,
            totalQuantity: 70,
            reservedQuantity: 0,
            confirmedQuantity: 30,
            raisePending,
            reloadPending,
            epoch: 1,
            nowMs: NOW,
            live: states.flatMap((s, i) => (s.live ? [live(ids[i] ?? '', s.ledgerUnits, s.recorded)] : [])),
          },
          holds: new Map(
            states.flatMap((s, i) =>
              s.atGate
                ? [[ids[i] ?? '', s.live ? { ...nothing, status: s.recorded ? ('PRE_DEDUCTED' as const) : null } : s]]
                : [],
            ),
          ),
          proofAgeMs: 60_000,
        });
        const { deducted: d, capacity: t } = found;
        expect(d.confirmed + d.preDeducted + d.inFlight + d.unexplained).toBe(d.gate);
        expect(t.expected + t.inFlight + t.unexplained).toBe(t.gate);
        expect(found.agrees).toBe(found.rows.every((row) => DRIFT_CAUSES[row.cause].explained));
      },
    ),
  );
});
