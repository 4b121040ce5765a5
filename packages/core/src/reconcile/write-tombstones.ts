/**
 * A closed trade's line without a ledger row, long after the close: its RELEASED tombstone is written by the
 * ledger's own function, so that a late RESERVE can no longer record it (P17).
 */

import { releaseReservations } from '../ledger/index.ts';
import { inTransaction, type Log, type Pool, type Waker } from '../platform/index.ts';
import type { OldHold } from './read-old-holds.ts';

export async function writeTombstones(
  deps: { pool: Pool; waker: Waker; log: Log },
  holds: readonly OldHold[],
): Promise<number> {
  const orders = Map.groupBy(holds, (hold) => `${hold.tradeId} ${hold.shopOrderId}`);
  let written = 0;
  for (const lines of orders.values()) {
    const { tradeId, shopOrderId } = lines[0] ?? {};
    if (!tradeId || !shopOrderId) continue;
    const reserved = lines.map(({ reservationId, shopId, skuId, quantity, lineQuantity }) => ({
      reservationId,
      shopId,
      skuId,
      quantity: lineQuantity ?? quantity,
    }));
    try {
      await inTransaction(deps.pool, (tx) =>
        releaseReservations(tx, [
          { tradeId, shopOrderId, lines: reserved, reason: 'SWEPT', traceId: 'gate.sweep-ghost-holds' },
        ]),
      );
      written += lines.length;
    } catch (error) {
      deps.log.warn({ error, tradeId, shopOrderId }, 'tombstone not written, left to the next run');
    }
  }
  if (written > 0) for (const topic of ['outbox', 'effects'] as const) deps.waker.wake(topic);
  return written;
}
