/**
 * The incident of a SKU that differs without a reason: opens at the second sighting in a row, for one that cannot be
 * sold at all at the first, and closes by itself once the SKU was judged and agrees.
 */
import type { SkuRef } from '../gate/index.ts';
import { closeIncident, listIncidents, openIncident } from '../ops/index.ts';
import type { Sql } from '../platform/index.ts';
import type { Judged, Stuck } from './plan-repair.ts';
import { nameOf } from './read-ledger.ts';

const KIND = 'UNEXPLAINED_DRIFT';

interface Sightings {
  readonly judged: readonly Judged[];
  readonly stuck: readonly Stuck[];
  readonly differedBefore: (sku: SkuRef) => boolean;
  readonly runId: string;
}

export async function tendDriftIncidents(sql: Sql, { judged, stuck, differedBefore, runId }: Sightings): Promise<void> {
  const open = new Set(
    (await listIncidents(sql, { status: 'OPEN', kind: KIND, limit: 500 })).map((incident) => incident.subject),
  );
  for (const found of judged) {
    const subject = nameOf(found);
    if (found.explanation.agrees) {
      if (open.has(subject)) await closeIncident(sql, { kind: KIND, subject, by: 'reconcile' });
    } else if (differedBefore(found) && !open.has(subject))
      await openIncident(sql, { kind: KIND, subject, detail: { runId, rows: found.explanation.rows } });
  }
  for (const found of stuck) {
    const subject = nameOf(found);
    if (!open.has(subject)) await openIncident(sql, { kind: KIND, subject, detail: { runId, unknown: found.why } });
  }
}
