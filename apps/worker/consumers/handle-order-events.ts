/** The order's side of the ledger's answers, and what follows from a trade that was paid or closed. */
import type { IncomingEvent } from '@holdfast/core/domain';
import { applyInventoryEvents, applyTradeEvents } from '@holdfast/core/order';
import type { Tx } from '@holdfast/core/platform';
import type { RefusedEvent } from '@holdfast/core/stream';

export async function handleInventoryEvents(tx: Tx, events: readonly IncomingEvent[]): Promise<RefusedEvent[]> {
  await applyInventoryEvents(tx, events);
  return [];
}

export async function handleTradeEvents(tx: Tx, events: readonly IncomingEvent[]): Promise<RefusedEvent[]> {
  await applyTradeEvents(tx, events);
  return [];
}
