/** What one look at a SKU found in both books, before it is judged. */
import { type ReservationStatus, UUID_PATTERN } from '../domain/index.ts';

export interface GateHold {
  readonly reservationId: string;
  readonly quantity: number;
  /** Time of the take in ms, by the gate's clock. */
  readonly takenAtMs: number;
}

/** False for a member that no take has written: foreign text in the hold set, of which nothing can be looked up. */
export function isWholeHold({ reservationId, quantity }: Pick<GateHold, 'reservationId' | 'quantity'>): boolean {
  return UUID_PATTERN.test(reservationId) && Number.isSafeInteger(quantity) && quantity > 0;
}

export interface GateFacts {
  readonly epoch: number;
  readonly generation: number;
  readonly version: number;
  /** T and D as the gate has them. */
  readonly total: number;
  readonly deducted: number;
  readonly holds: readonly GateHold[];
}

export interface LiveHoldFacts {
  readonly reservationId: string;
  readonly quantity: number;
  /** The ledger row is there and PRE_DEDUCTED; else only the order line names it. */
  readonly recorded: boolean;
}

export interface LedgerFacts {
  /** The gate's present life, by the same snapshot. */
  readonly epoch: number;
  readonly generation: number;
  readonly totalQuantity: number;
  readonly reservedQuantity: number;
  readonly confirmedQuantity: number;
  readonly live: readonly LiveHoldFacts[];
  readonly raisePending: boolean;
  /** INSTALL or REMOVE: the SKU's whole load is about to be replaced. */
  readonly reloadPending: boolean;
  /** The database's clock when the snapshot was taken, in ms. */
  readonly nowMs: number;
}

/** What the ledger and the orders know about one hold found at the gate. */
export interface HoldFacts {
  readonly status: ReservationStatus | null;
  readonly lineState: 'INTENDED' | 'CURRENT' | 'PAST' | null;
  readonly abandoned: boolean;
  readonly effectPending: boolean;
}

export interface SkuFacts {
  readonly gate: GateFacts;
  readonly ledger: LedgerFacts;
  /** For each hold of the gate's set. */
  readonly holds: ReadonlyMap<string, HoldFacts>;
  readonly proofAgeMs: number;
}
