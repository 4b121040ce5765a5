import { INCIDENT_KINDS, isIncidentKind, listIncidents } from '@holdfast/core/ops';
import { viewerProcedure } from '../init.ts';
import { incidentsInput } from './incidents.schema.ts';

/** Incidents, newest first, each with the sentence that says what its kind means. */
export const incidents = viewerProcedure.input(incidentsInput).query(async ({ ctx, input }) => {
  const { status, beforeId } = input;
  const found = await listIncidents(ctx.deps.readPool, {
    ...(status && { status }),
    ...(beforeId && { beforeId }),
    limit: 100,
  });
  return found.map((incident) => ({
    ...incident,
    sentence: isIncidentKind(incident.kind) ? INCIDENT_KINDS[incident.kind].sentence : incident.kind,
  }));
});
