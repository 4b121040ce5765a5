import fc from 'fast-check';
import { expect, test } from 'vitest';
import { freeUnits, gateCapacity } from '../../domain/index.ts';
import { DRIFT_CAUSES, type DriftCause } from '../causes.ts';
import { explain } from '../explain.ts';
import type { Sum } from './add-up.ts';
import type { GateFigure, LedgerFigure } from './figures.ts';
import { gateRows } from './gate-rows.ts';
import { ledgerRows } from './ledger-rows.ts';
import type { LedgerSums } from './ledger-sums.ts';
import { MOVEMENT_KINDS, type Tally } from './sum-movements.ts';

const units = fc.integer({ min: 0, max: 1_000_000 });
const tally = (sign: 1 | -1) => fc.record({ count: units, units: units.map((n) => sign * n) });
const movements = fc.record({ RECEIPT: tally(1), RESTOCK: tally(1), CONFIRM: tally(-1), SHRINK: tally(-1) });
const sumsOf = fc.record({
  at: fc.constant(new Date(0)),
  counters: fc.record({ total: units, reserved: units, confirmed: units }),
  upTo: movements,
  ever: movements,
  reserved: tally(1),
  reservedToday: tally(1),
  onItsWay: tally(1),
});
const LEDGER: readonly LedgerFigure[] = [
  'totalQuantity',
  'reservedQuantity',
  'confirmedQuantity',
  'ledgerTotal',
  'ledgerDeducted',
];
const GATE: readonly GateFigure[] = ['total', 'deducted', 'free', 'inFlight', 'drift'];

function expectToAddUp({ value, rows, notExplained }: Sum): void {
  expect(rows.reduce((sum, row) => sum + row.units, 0)).toBe(value);
  const left = rows.filter((row) => row.name === 'NOT_EXPLAINED').map((row) => row.units);
  expect(left).toEqual(notExplained === 0 ? [] : [notExplained]);
}

test('Whatever the ledger holds, the rows of every figure add up, and what is left over is named', () => {
  fc.assert(
    fc.property(sumsOf, (sums: LedgerSums) => {
      for (const figure of LEDGER) expectToAddUp(ledgerRows(figure, sums));
    }),
  );
});

test('A figure of today is the counter itself, and a counter that its rows do not explain says by how much', () => {
  fc.assert(
    fc.property(sumsOf, (some) => {
      const sums: LedgerSums = { ...some, upTo: some.ever, reserved: some.reservedToday };
      const movement = (of: Readonly<Record<string, Tally>>) =>
        MOVEMENT_KINDS.reduce((sum, kind) => sum + (of[kind]?.units ?? 0), 0);
      expect(ledgerRows('totalQuantity', sums).value).toBe(sums.counters.total);
      expect(ledgerRows('totalQuantity', sums).notExplained).toBe(sums.counters.total - movement(sums.ever));
      expect(ledgerRows('confirmedQuantity', sums).value).toBe(sums.counters.confirmed);
      expect(ledgerRows('reservedQuantity', sums).value).toBe(sums.counters.reserved);
      expect(ledgerRows('reservedQuantity', sums).notExplained).toBe(sums.counters.reserved - sums.reservedToday.units);
      expect(ledgerRows('ledgerTotal', sums).value).toBe(sums.counters.total + sums.counters.confirmed);
    }),
  );
});

test('Whatever the gate holds, the rows of every figure add up to what it shows, with nothing left over', () => {
  const hold = fc.record({ id: fc.uuid({ version: 7 }), quantity: fc.integer({ min: 1, max: 99 }) });
  fc.assert(
    fc.property(fc.array(hold), fc.array(hold), units, units, units, (atGate, live, total, deducted, confirmed) => {
      const gate = {
        ...{ epoch: 1, generation: 1, version: 1, total, deducted },
        holds: atGate.map(({ id, quantity }) => ({ reservationId: id, quantity, takenAtMs: 0 })),
      };
      const ledger = {
        ...{
          epoch: 1,
          generation: 1,
          totalQuantity: 70,
          reservedQuantity: 0,
          confirmedQuantity: confirmed,
          nowMs: 1e9,
        },
        ...{ raisePending: false, reloadPending: false },
        live: [...atGate.filter((_, i) => i % 2 === 0), ...live].map(({ id, quantity }, i) => ({
          ...{ reservationId: id, quantity, recorded: i % 3 > 0 },
        })),
      };
      const { deducted: d, capacity, rows } = explain({ gate, ledger, holds: new Map(), proofAgeMs: 1 });
      const look = {
        ...{ total, deducted, totalQuantity: ledger.totalQuantity, confirmedQuantity: confirmed, drift: rows },
        preDeducted: { units: d.preDeducted, count: null },
      };
      const shown: Record<GateFigure, number> = {
        total,
        deducted,
        free: freeUnits(total, deducted),
        inFlight: d.inFlight + capacity.inFlight,
        drift: d.unexplained + capacity.unexplained,
      };
      for (const figure of GATE) {
        const sum = gateRows(figure, look);
        expect(sum).toMatchObject({ value: shown[figure], notExplained: 0 });
        expectToAddUp(sum);
      }
      expect(total - capacity.inFlight - capacity.unexplained).toBe(gateCapacity(ledger));
    }),
  );
});

test('Every cause of a difference is a row under its own name and sentence', () => {
  for (const cause of Object.keys(DRIFT_CAUSES) as DriftCause[]) {
    const drift = [{ cause, units: 2, figure: 'deducted' as const, holds: 1, sample: ['h1'] }];
    const look = { total: 0, deducted: 2, totalQuantity: 0, confirmedQuantity: 0, drift };
    const { rows } = gateRows('deducted', { ...look, preDeducted: { units: 0, count: 0 } });
    expect(rows.at(-1)).toMatchObject({
      name: cause,
      sentence: DRIFT_CAUSES[cause].sentence,
      units: 2,
      sample: ['h1'],
    });
  }
});
