/** Wires what placing orders needs; called once by the process that takes orders. */
import type { Gate } from '../gate/index.ts';
import type { Config, Log, Metrics, Pool, Redis, StopAt, Waker } from '../platform/index.ts';
import { type CommitBatcher, createCommitBatcher } from './commit-batch.ts';
import { type BuyerTurns, createBuyerTurns } from './limits/buyer-turns.ts';
import { createPriceList, type PriceList } from './price-lines.ts';

export interface PlaceOrderDeps {
  readonly pool: Pool;
  /** Fails at once while Redis is away (`openGateRedis`). */
  readonly redis: Redis;
  readonly gate: Gate;
  readonly prices: PriceList;
  readonly batcher: CommitBatcher;
  readonly turns: BuyerTurns;
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly waker: Waker;
  /** Where a test build may stop, kill or delay the process; production has none. */
  readonly stopAt?: StopAt;
}

export type OrderDeskParts = Omit<PlaceOrderDeps, 'prices' | 'batcher' | 'turns'>;

export function createPlaceOrderDeps(parts: OrderDeskParts): PlaceOrderDeps {
  const { order } = parts.config;
  return {
    ...parts,
    prices: createPriceList(parts.pool),
    turns: createBuyerTurns(),
    batcher: createCommitBatcher({
      pool: parts.pool,
      metrics: parts.metrics,
      windowMs: order.ORDER_COMMIT_WINDOW_MS,
      paySeconds: order.ORDER_PAYMENT_TIMEOUT_SECONDS,
      openOrdersLimit: order.ORDER_OPEN_LIMIT,
    }),
  };
}
