import { INCIDENT_KINDS, isIncidentKind, listIncidents } from '@holdfast/core/ops';
import { viewerProcedure } from '../init.ts';
import { incidentsInput } from './incidents.schema.ts';

/** Incidents, newest first, each with the sentence that says what its kind means and the runbook that says what to do. */
export const incidents = viewerProcedure.input(incidentsInput).query(async ({ ctx, input }) => {
  const { status, cursor, limit } = input;
  const found = await listIncidents(ctx.deps.readPool, {
    ...(status && { status }),
    ...(cursor && { beforeId: cursor }),
    limit,
  });
  return {
    incidents: found.map((incident) => ({ ...incident, ...meaningOf(incident.kind) })),
    next: found.length === limit ? (found.at(-1)?.id ?? null) : null,
  };
});

function meaningOf(kind: string): { sentence: string; runbook: string | null } {
  if (!isIncidentKind(kind)) return { sentence: kind, runbook: null };
  const { sentence, runbook } = INCIDENT_KINDS[kind];
  return { sentence, runbook: `docs/runbooks/${runbook}` };
}
