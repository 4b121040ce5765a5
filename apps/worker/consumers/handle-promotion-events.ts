/** Coupons: uses that are asked for by events, and what the end of an order means for its coupon. */
import type { IncomingEvent } from '@holdfast/core/domain';
import { applyPromotionEvents, useCoupons } from '@holdfast/core/order';
import type { Tx } from '@holdfast/core/platform';
import type { RefusedEvent } from '@holdfast/core/stream';

export async function handlePromotionRequests(tx: Tx, events: readonly IncomingEvent[]): Promise<RefusedEvent[]> {
  await useCoupons(tx, events);
  return [];
}

export async function handlePromotionAnswers(tx: Tx, events: readonly IncomingEvent[]): Promise<RefusedEvent[]> {
  await applyPromotionEvents(tx, events);
  return [];
}
