/**
 * Door of operations for the stages of core: incidents, audit log, health. It stands on domain and platform only,
 * so that ledger, gate and order may write incidents. Apps enter by ./console/index.ts, which adds the console's
 * reads.
 */
export { type AuditEntry, appendAudit } from './audit.ts';
export {
  answerHealth,
  checkDependencies,
  checkGate,
  checkPostgres,
  checkRedis,
  type DependencyCheck,
  type DependencyHealth,
  type Health,
  type HealthReply,
} from './health.ts';
export { INCIDENT_KINDS, type IncidentKind, isIncidentKind } from './incident-kinds.ts';
export { closeIncident, type Incident, listIncidents, openIncident } from './incidents.ts';
