/** P33: a RELEASE has ended the units that a failing RESERVE would have recorded, so nothing is left of that one to do. */
import type { IncomingEvent } from '@holdfast/core/domain';

export function releaseMakesVoid(event: IncomingEvent, waiting: IncomingEvent): boolean {
  if (event.type !== 'INVENTORY_RELEASE' || waiting.type !== 'INVENTORY_RESERVE_DB') return false;
  const ended = new Set(event.payload.lines.map((line) => line.reservationId));
  return waiting.payload.lines.every((line) => ended.has(line.reservationId));
}
