/**
 * What a shop order that stands still waits for, by its state and its ledger rows. Pure. Every answer is an event that
 * the normal way writes too, guarded by the state it meets, so asking once too often changes nothing.
 */
import type { EventType, ReservationStatus, ShopOrderStatus, TradeStatus } from '../domain/index.ts';

export type Ask = Extract<
  EventType,
  | 'INVENTORY_RESERVE_DB'
  | 'INVENTORY_RESERVED'
  | 'INVENTORY_CONFIRM'
  | 'INVENTORY_CONFIRMED'
  | 'INVENTORY_RELEASE'
  | 'INVENTORY_RELEASED'
>;

/** @param rows state of each line's row; null where the ledger has none. Undefined: nothing safe would help. */
export function decideAsk(
  status: ShopOrderStatus,
  trade: TradeStatus,
  rows: readonly (ReservationStatus | null)[],
): Ask | undefined {
  const all = (...wanted: (ReservationStatus | null)[]) => rows.length > 0 && rows.every((row) => wanted.includes(row));
  switch (status) {
    case 'RESERVING':
      if (all('PRE_DEDUCTED')) return 'INVENTORY_RESERVED';
      if (trade === 'CLOSED') return all('RELEASED', 'EXPIRED') ? 'INVENTORY_RELEASED' : 'INVENTORY_RELEASE';
      return all('PRE_DEDUCTED', null) ? 'INVENTORY_RESERVE_DB' : undefined;
    case 'CONFIRMING':
      if (all('CONFIRMED')) return 'INVENTORY_CONFIRMED';
      return trade === 'PAID_PENDING' && all('PRE_DEDUCTED') ? 'INVENTORY_CONFIRM' : undefined;
    case 'RELEASING':
      if (trade !== 'CLOSED' || rows.includes('CONFIRMED')) return undefined;
      return all('RELEASED', 'EXPIRED') ? 'INVENTORY_RELEASED' : 'INVENTORY_RELEASE';
    default:
      return undefined;
  }
}
