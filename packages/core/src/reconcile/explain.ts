/**
 * Splits the difference between gate and ledger into named rows that add up (P36, P38):
 *
 *   D = confirmed + PRE_DEDUCTED + in flight + unexplained        T = formula + in flight + unexplained
 *
 * Pure. Two checks: the hold set against the live holds by id, in both directions; and what remains of D
 * (base = D - units of the hold set) against the confirmed units that left the hold set. Unexplained rows are
 * never netted when judged: a missing hold and a foreign one of equal units are two faults, not none.
 */
import { gateCapacity, gateDeducted } from '../domain/index.ts';
import { DRIFT_CAUSES, type DriftCause } from './causes.ts';
import type { GateHold, HoldFacts, SkuFacts } from './facts.ts';

export interface DriftRow {
  readonly cause: DriftCause;
  /** What the row adds to the figure, signed; 0 when only the hold set differs. */
  readonly units: number;
  readonly figure: 'deducted' | 'capacity';
  /** How many holds the row stands for. */
  readonly holds: number;
  /** Up to a few of their ids, for the person who looks. */
  readonly sample: readonly string[];
}

/** `oversell`: the gate holds too little or may hand out too much. `undersell`: the other way round. */
export type DriftRisk = 'none' | 'undersell' | 'oversell';

export interface Explanation {
  readonly deducted: {
    gate: number;
    expected: number;
    confirmed: number;
    preDeducted: number;
    inFlight: number;
    unexplained: number;
  };
  readonly capacity: { gate: number; expected: number; inFlight: number; unexplained: number };
  readonly rows: readonly DriftRow[];
  /** Holds of final rows that nothing is left to end: their effect is missing (P37). */
  readonly withoutEffect: readonly string[];
  readonly risk: DriftRisk;
  /** Sum of the absolute units of unexplained rows of both figures. */
  readonly unexplainedUnits: number;
  readonly agrees: boolean;
}

const SAMPLE = 5;
const EFFECT_MISSING: ReadonlySet<DriftCause> = new Set(['ENDED_BUT_HELD', 'SOLD_BUT_HELD']);

export function explain(facts: SkuFacts): Explanation {
  const { gate, ledger } = facts;
  const rows = [...holdRows(facts), ...missingRows(facts), ...counterRows(facts), ...capacityRows(facts)];
  if (gate.generation !== ledger.generation) rows.push(row('GENERATION_DIFFERS', 0));
  const settled = ledger.reloadPending ? rows.map(awaitReload) : rows;
  const preDeducted = sumOf(ledger.live.filter((hold) => hold.recorded).map((hold) => hold.quantity));
  const expected = gateDeducted({
    confirmedQuantity: ledger.confirmedQuantity,
    heldUnits: sumOf(ledger.live.map((hold) => hold.quantity)),
  });
  const unexplained = settled.filter((r) => !DRIFT_CAUSES[r.cause].explained);
  return {
    deducted: {
      gate: gate.deducted,
      expected,
      confirmed: ledger.confirmedQuantity,
      preDeducted,
      inFlight: unitsOf(settled, 'deducted', true),
      unexplained: unitsOf(settled, 'deducted', false),
    },
    capacity: {
      gate: gate.total,
      expected: gateCapacity(ledger),
      inFlight: unitsOf(settled, 'capacity', true),
      unexplained: unitsOf(settled, 'capacity', false),
    },
    rows: gather(settled),
    withoutEffect: settled.filter((r) => EFFECT_MISSING.has(r.cause)).flatMap((r) => r.sample),
    risk: riskOf(unexplained),
    unexplainedUnits: sumOf(unexplained.map((r) => Math.abs(r.units))),
    agrees: unexplained.length === 0,
  };
}

/** One row for each hold of the gate's set that is not simply PRE_DEDUCTED with the same units. */
function* holdRows(facts: SkuFacts): Generator<DriftRow> {
  const live = new Map(facts.ledger.live.map((hold) => [hold.reservationId, hold]));
  for (const hold of facts.gate.holds) {
    const wanted = live.get(hold.reservationId);
    if (!wanted) {
      const cause = causeOf(hold, facts.holds.get(hold.reservationId), facts);
      yield row(cause, cause === 'SETTLE_PENDING' || cause === 'SOLD_BUT_HELD' ? 0 : hold.quantity, hold.reservationId);
      continue;
    }
    if (!wanted.recorded) yield row('NOT_RECORDED', wanted.quantity, hold.reservationId);
    if (hold.quantity !== wanted.quantity)
      yield row('QUANTITY_DIFFERS', hold.quantity - wanted.quantity, hold.reservationId);
  }
}

function causeOf(hold: GateHold, known: HoldFacts | undefined, facts: SkuFacts): DriftCause {
  if (known?.status === 'CONFIRMED') return known.effectPending ? 'SETTLE_PENDING' : 'SOLD_BUT_HELD';
  if (known?.status) return known.effectPending ? 'GIVE_BACK_PENDING' : 'ENDED_BUT_HELD';
  if (known?.abandoned) return 'ABANDONED';
  if (known?.lineState === 'INTENDED') return 'INTENDED';
  return facts.ledger.nowMs - hold.takenAtMs < facts.proofAgeMs ? 'JUST_TAKEN' : 'GHOST';
}

/** Live holds that the gate does not have. An unrecorded one is counted as in flight too, so that the rows add up. */
function* missingRows(facts: SkuFacts): Generator<DriftRow> {
  const held = new Set(facts.gate.holds.map((hold) => hold.reservationId));
  for (const hold of facts.ledger.live) {
    if (held.has(hold.reservationId)) continue;
    if (!hold.recorded) yield row('NOT_RECORDED', hold.quantity, hold.reservationId);
    yield row('MISSING_HOLD', -hold.quantity, hold.reservationId);
  }
}

function* counterRows({ gate, ledger, holds }: SkuFacts): Generator<DriftRow> {
  const base = gate.deducted - sumOf(gate.holds.map((hold) => hold.quantity));
  const soldButHeld = gate.holds.filter((hold) => holds.get(hold.reservationId)?.status === 'CONFIRMED');
  const difference = base - (ledger.confirmedQuantity - sumOf(soldButHeld.map((hold) => hold.quantity)));
  if (difference !== 0) yield row('COUNTER_DIFFERS', difference);
}

function* capacityRows({ gate, ledger }: SkuFacts): Generator<DriftRow> {
  const difference = gate.total - gateCapacity(ledger);
  if (difference === 0) return;
  yield {
    ...row(difference < 0 && ledger.raisePending ? 'RAISE_PENDING' : 'CAPACITY_DIFFERS', difference),
    figure: 'capacity',
  };
}

/** With a reload on its way every unexplained difference is about to be replaced by the ledger's figures. */
function awaitReload(found: DriftRow): DriftRow {
  return DRIFT_CAUSES[found.cause].explained ? found : { ...found, cause: 'RELOAD_PENDING' };
}

function riskOf(unexplained: readonly DriftRow[]): DriftRisk {
  const tooLittle = (r: DriftRow) => (r.figure === 'capacity' ? r.units > 0 : r.units < 0);
  if (unexplained.some(tooLittle)) return 'oversell';
  return unexplained.length > 0 ? 'undersell' : 'none';
}

/** One row a cause and figure, but never a plus and a minus in one. */
function gather(rows: readonly DriftRow[]): DriftRow[] {
  const groups = new Map<string, DriftRow>();
  for (const found of rows) {
    const name = `${found.cause} ${found.figure} ${Math.sign(found.units)}`;
    const group = groups.get(name);
    groups.set(
      name,
      group
        ? {
            ...group,
            units: group.units + found.units,
            holds: group.holds + found.holds,
            sample: [...group.sample, ...found.sample].slice(0, SAMPLE),
          }
        : found,
    );
  }
  return [...groups.values()];
}

function row(cause: DriftCause, units: number, reservationId?: string): DriftRow {
  return {
    cause,
    units,
    figure: 'deducted',
    holds: reservationId ? 1 : 0,
    sample: reservationId ? [reservationId] : [],
  };
}

function unitsOf(rows: readonly DriftRow[], figure: DriftRow['figure'], explained: boolean): number {
  return sumOf(
    rows.filter((r) => r.figure === figure && DRIFT_CAUSES[r.cause].explained === explained).map((r) => r.units),
  );
}

function sumOf(units: readonly number[]): number {
  return units.reduce((total, n) => total + n, 0);
}
