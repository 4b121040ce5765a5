/** A line as the ledger sees it: units of one SKU under one reservation id, of one shop order. */
import type { ReservedLine } from '../domain/index.ts';

export interface HeldRow {
  readonly reservationId: string;
  readonly shopId: string;
  readonly skuId: string;
  readonly quantity: number;
  readonly tradeId: string;
  readonly shopOrderId: string;
}

export function lineOf({ reservationId, shopId, skuId, quantity }: HeldRow): ReservedLine {
  return { reservationId, shopId, skuId, quantity };
}

export function groupBy<T, K>(items: readonly T[], key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}
