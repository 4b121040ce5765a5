/**
 * Cuts events into parts of one type, so that each part is one set-based transaction and takes its locks in one
 * pass (P5, P12). The order of each key is kept: an event never comes before an earlier one of its key.
 */
import type { IncomingEvent } from '@holdfast/core/domain';

/** The usual order of a key, so that most batches need one part a type. */
const ORDER = ['INVENTORY_RESERVE_DB', 'INVENTORY_CONFIRM', 'INVENTORY_RELEASE'];

export function planLedger(events: readonly IncomingEvent[]): IncomingEvent[][] {
  const parts: IncomingEvent[][] = [];
  const reached = new Map<string, number>();
  for (const event of events) {
    const place = ORDER.indexOf(event.type);
    let part = reached.get(event.key) ?? 0;
    while (part % ORDER.length !== place) part++;
    reached.set(event.key, part);
    while (parts.length <= part) parts.push([]);
    parts[part]?.push(event);
  }
  return parts.filter((part) => part.length > 0);
}
