/**
 * What P37 does about one comparison. Pure. Too little held, or nothing that can be sold at all: loaded anew at once.
 * Too much held: the missing effect of a final row at once, a ghost by the sweep, and whatever still differs when the
 * SKU is met again is loaded anew. Nothing is ever written to a counter.
 */
import type { Comparison } from './compare.ts';
import type { LedgerFacts } from './facts.ts';

export type Judged = Extract<Comparison, { kind: 'judged' }>;
/** A SKU that nobody can take from, give back to or settle until it is loaded anew; its figures are not known. */
export type Stuck = Extract<Comparison, { kind: 'unknown' }> & { readonly ledger: LedgerFacts; readonly stuck: true };

/** `wait`: the sweep, a pending load or the next run. `rebuild`: the key refuses every load of this epoch. */
export type Remedy = 'none' | 'wait' | 'effects' | 'reinstall' | 'rebuild';

/** What the log remembers of the SKU since the run before. */
export interface Sighting {
  readonly differed: boolean;
  /** The generation that its last re-install asked for. */
  readonly reinstalledAs: number | null;
}
export const FIRST_SIGHTING: Sighting = { differed: false, reinstalledAs: null };

export function isStuck(found: Comparison): found is Stuck {
  return found.kind === 'unknown' && found.stuck && found.ledger !== undefined;
}

export function remedyOf(found: Comparison, before: Sighting): Remedy {
  if (isStuck(found)) return remedyOfStuck(found, before);
  if (found.kind !== 'judged' || found.explanation.agrees) return 'none';
  const { explanation } = found;
  const sellsNothing = explanation.rows.some((row) => row.cause === 'GENERATION_DIFFERS');
  if (explanation.risk === 'oversell' || sellsNothing || before.differed) return 'reinstall';
  return explanation.withoutEffect.length > 0 ? 'effects' : 'wait';
}

/** Each try of a load takes a generation of its own (P18): two more than asked for, and it is the key that refuses. */
function remedyOfStuck({ ledger }: Stuck, { reinstalledAs }: Sighting): Remedy {
  if (!ledger.reloadPending) return 'reinstall';
  return reinstalledAs !== null && ledger.generation > reinstalledAs + 1 ? 'rebuild' : 'wait';
}
