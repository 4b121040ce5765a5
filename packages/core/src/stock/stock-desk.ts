/** What changing stock needs; wired by the process that lets people do it. */
import type { Failure } from '../domain/index.ts';
import type { Gate } from '../gate/index.ts';
import type { Log, Pool, Waker } from '../platform/index.ts';

/** Where a test build may stop, kill or delay the process; production has none. */
export type StockStopPoint = 'stock.after-take' | 'stock.after-commit' | 'stock.import-row';

export interface StockDeps {
  readonly pool: Pool;
  readonly gate: Gate;
  readonly log: Log;
  readonly waker: Waker;
  /** Longest time of one change: a closed gate is waited for, not longer. */
  readonly limitMs: number;
  readonly stopAt?: (point: StockStopPoint) => Promise<void>;
}

export type StockChanged =
  | { readonly kind: 'changed'; readonly totalQuantity: number }
  /** The same operation id has booked the same before. */
  | { readonly kind: 'repeated'; readonly totalQuantity: number }
  | { readonly kind: 'unchanged'; readonly totalQuantity: number }
  | Failure;
