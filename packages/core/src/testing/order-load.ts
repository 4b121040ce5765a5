/** Orders at an even pace, whatever becomes of those before; each remembers when it was asked and how it ended. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseError } from '../platform/index.ts';
import type { TestShop } from './test-shop.ts';

export interface Answer {
  readonly startedAt: number;
  readonly endedAt: number;
  /** `placed`, the code of the refusal, or `thrown` with the error. */
  readonly outcome: string;
  readonly tradeId: string | undefined;
}

export async function orderOnce(shop: TestShop, skuId: string): Promise<Answer> {
  const startedAt = performance.now();
  const answer = await shop.order([{ skuId, quantity: 1 }]).then(
    (result) =>
      result.kind === 'placed'
        ? { outcome: 'placed', tradeId: result.tradeId }
        : { outcome: result.code, tradeId: undefined },
    // The edge says BUSY for what the database threw (P33).
    (error: unknown) => ({ outcome: isDatabaseError(error) ? 'BUSY' : `thrown ${String(error)}`, tradeId: undefined }),
  );
  return { ...answer, startedAt, endedAt: performance.now() };
}

/** Begins at once; `end` stops it and waits for every answer. */
export function startOrders(shop: TestShop, skuId: string, aSecond: number): { end(): Promise<Answer[]> } {
  const orders: Promise<Answer>[] = [];
  let stopping = false;
  const running = (async () => {
    while (!stopping) {
      orders.push(orderOnce(shop, skuId));
      await sleep(1000 / aSecond);
    }
  })();
  return {
    async end() {
      stopping = true;
      await running;
      return Promise.all(orders);
    },
  };
}
