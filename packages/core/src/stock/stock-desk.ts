/** What changing stock needs; wired by the process that lets people do it. */
import type { Failure } from '../domain/index.ts';
import type { Gate } from '../gate/index.ts';
import type { Log, Pool, StopAt, Waker } from '../platform/index.ts';

export interface StockDeps {
  readonly pool: Pool;
  readonly gate: Gate;
  readonly log: Log;
  readonly waker: Waker;
  /** Longest time of one change: a closed gate is waited for, not longer. */
  readonly limitMs: number;
  /** Test builds only. */
  readonly stopAt?: StopAt;
}

export type StockChanged =
  | { readonly kind: 'changed'; readonly totalQuantity: number }
  /** The same operation id has booked the same before. */
  | { readonly kind: 'repeated'; readonly totalQuantity: number }
  | { readonly kind: 'unchanged'; readonly totalQuantity: number }
  | Failure;
