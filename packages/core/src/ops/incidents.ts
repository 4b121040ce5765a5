/**
 * Incidents: something a person may have to look at. At most one is open per kind and subject, so a repeated
 * sighting opens nothing new. Written in the transaction of whoever saw the cause.
 */
import type { Sql } from '../platform/index.ts';
import { type IncidentKind, mayCloseByHand } from './incident-kinds.ts';

export interface Incident {
  readonly id: number;
  readonly kind: string;
  readonly subject: string;
  readonly status: 'OPEN' | 'CLOSED';
  readonly detail: Record<string, unknown>;
  readonly openedAt: Date;
  readonly closedAt: Date | null;
  readonly closedBy: string | null;
  /** Open, and of a kind that a person closes. */
  readonly mayClose: boolean;
}

export async function openIncident(
  sql: Sql,
  incident: { kind: IncidentKind; subject: string; detail: Record<string, unknown> },
): Promise<void> {
  await sql.query(
    `INSERT INTO ops.incident (kind, subject, detail) VALUES ($1, $2, $3)
     ON CONFLICT (kind, subject) WHERE status = 'OPEN' DO NOTHING`,
    [incident.kind, incident.subject, JSON.stringify(incident.detail)],
  );
}

/** Closes the open incident of this kind and subject; false when there is none. */
export async function closeIncident(
  sql: Sql,
  incident: { kind: IncidentKind; subject: string; by: string },
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE ops.incident SET status = 'CLOSED', closed_at = ops.clock_now(), closed_by = $3
     WHERE kind = $1 AND subject = $2 AND status = 'OPEN'`,
    [incident.kind, incident.subject, incident.by],
  );
  return rowCount === 1;
}

/** Of the incident `i`. */
export const AMOUNT_UNKNOWN = `EXISTS (SELECT FROM tinystore_order.payment_event e
  WHERE e.event_id = i.subject AND (e.amount_minor IS NULL OR e.currency IS NULL))`;

/** Newest first; `beforeId` pages on. */
export async function listIncidents(
  sql: Sql,
  filter: { status?: 'OPEN' | 'CLOSED'; kind?: IncidentKind; beforeId?: number; limit?: number } = {},
): Promise<Incident[]> {
  const { rows } = await sql.query<Omit<Incident, 'mayClose'> & { amountUnknown: boolean }>(
    `SELECT id, kind, subject, status, detail, opened_at AS "openedAt", closed_at AS "closedAt", closed_by AS "closedBy",
       ${AMOUNT_UNKNOWN} AS "amountUnknown"
     FROM ops.incident i
     WHERE ($1::text IS NULL OR status = $1) AND ($2::text IS NULL OR kind = $2) AND ($3::bigint IS NULL OR id < $3)
     ORDER BY id DESC LIMIT $4`,
    [filter.status ?? null, filter.kind ?? null, filter.beforeId ?? null, Math.min(filter.limit ?? 100, 500)],
  );
  return rows.map(({ amountUnknown, ...incident }) => ({
    ...incident,
    mayClose: incident.status === 'OPEN' && mayCloseByHand(incident.kind, amountUnknown),
  }));
}
