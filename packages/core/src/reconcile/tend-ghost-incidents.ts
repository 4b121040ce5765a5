/** Opens an incident for each hold that stays unproven, and closes those whose hold is settled or gone (P17). */
import { closeIncident, listIncidents, openIncident } from '../ops/index.ts';
import type { Sql } from '../platform/index.ts';
import type { OldHold } from './read-old-holds.ts';

const MAX_OPENED_A_RUN = 100;

/** @param sawAll the run looked at every SKU, so an incident it did not meet again is over */
export async function tendGhostIncidents(sql: Sql, unproven: readonly OldHold[], sawAll: boolean): Promise<void> {
  const kind = 'GHOST_HOLD_UNPROVEN';
  for (const hold of unproven.slice(0, MAX_OPENED_A_RUN))
    await openIncident(sql, {
      kind,
      subject: hold.reservationId,
      detail: {
        shopId: hold.shopId,
        skuId: hold.skuId,
        quantity: hold.quantity,
        takenAt: new Date(hold.takenAtMs).toISOString(),
        tradeId: hold.tradeId,
      },
    });
  if (!sawAll) return;
  const seen = new Set(unproven.map((hold) => hold.reservationId));
  for (const incident of await listIncidents(sql, { status: 'OPEN', kind, limit: 500 }))
    if (!seen.has(incident.subject))
      await closeIncident(sql, { kind, subject: incident.subject, by: 'gate.sweep-ghost-holds' });
}
