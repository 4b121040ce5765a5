/**
 * The one formula between the two books (P1). Install, reconcile, console, repair and tests call this file;
 * no other place adds these numbers up.
 */
export interface LedgerFigures {
  /** Units on hand and unsold. */
  readonly totalQuantity: number;
  /** Units ever taken out, sold or written off. */
  readonly confirmedQuantity: number;
  /** Units of live holds: named by a committed order line, ledger row absent or PRE_DEDUCTED (P2). */
  readonly heldUnits: number;
}

/** T: what the gate may hand out over its whole life. Never falls (P4). */
export function gateCapacity(ledger: Pick<LedgerFigures, 'totalQuantity' | 'confirmedQuantity'>): number {
  return ledger.totalQuantity + ledger.confirmedQuantity;
}

/** D: what the gate counts as deducted; payment does not lower it. */
export function gateDeducted(ledger: Pick<LedgerFigures, 'confirmedQuantity' | 'heldUnits'>): number {
  return ledger.confirmedQuantity + ledger.heldUnits;
}

/** Units a buyer may still take; never below zero. */
export function freeUnits(total: number, deducted: number): number {
  return Math.max(0, total - deducted);
}
