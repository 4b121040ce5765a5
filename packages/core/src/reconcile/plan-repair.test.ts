import { expect, test } from 'vitest';
import { explain } from './explain.ts';
import type { LedgerFacts } from './facts.ts';
import { FIRST_SIGHTING, type Judged, remedyOf, type Stuck } from './plan-repair.ts';

const K1 = { shopId: 'S1', skuId: 'K1' };
const ledger: LedgerFacts = {
  epoch: 1,
  generation: 7,
  totalQuantity: 10,
  reservedQuantity: 0,
  confirmedQuantity: 0,
  live: [],
  raisePending: false,
  reloadPending: false,
  nowMs: 1_000_000,
};
const found = (deducted: number, generation = 7): Judged => {
  const gate = { epoch: 1, generation, version: 1, total: 10, deducted, holds: [] };
  return {
    ...K1,
    kind: 'judged',
    gate,
    ledger,
    explanation: explain({ gate, ledger, holds: new Map(), proofAgeMs: 60_000 }),
  };
};
const stuck = (facts: Partial<LedgerFacts>): Stuck => ({
  ...K1,
  kind: 'unknown',
  why: 'BUSY',
  stuck: true,
  ledger: { ...ledger, ...facts },
});
const again = { differed: true, reinstalledAs: null };

test('P37 – too little waits for nobody, too much for a second look', () => {
  expect(remedyOf(found(0), again)).toBe('none');
  expect(remedyOf(found(-3), FIRST_SIGHTING)).toBe('reinstall');
  expect(remedyOf(found(3), FIRST_SIGHTING)).toBe('wait');
  expect(remedyOf(found(3), again)).toBe('reinstall');
});

test('P37 – a SKU that cannot be sold is loaded anew at once', () => {
  expect(remedyOf(found(0, 6), FIRST_SIGHTING)).toBe('reinstall');
  expect(remedyOf(stuck({}), FIRST_SIGHTING)).toBe('reinstall');
});

test('P37 – a load that waits for the gatekeeper is waited for; only one that was tried and refused calls for a new epoch', () => {
  const asked = { differed: true, reinstalledAs: 7 };
  expect(remedyOf(stuck({ reloadPending: true }), asked)).toBe('wait');
  expect(remedyOf(stuck({ reloadPending: true, generation: 8 }), asked)).toBe('wait');
  expect(remedyOf(stuck({ reloadPending: true, generation: 9 }), asked)).toBe('rebuild');
  expect(remedyOf(stuck({ reloadPending: true, generation: 9 }), FIRST_SIGHTING)).toBe('wait');
});
