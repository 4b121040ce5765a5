/**
 * Door of operations for the apps: what the stages may write (../index.ts) and what the console reads. The reads
 * stand on gate and reconcile, which themselves write incidents; two doors keep that free of a cycle.
 */
export {
  type AuditEntry,
  answerHealth,
  appendAudit,
  checkDependencies,
  checkGate,
  checkPostgres,
  checkRedis,
  closeIncident,
  type DependencyCheck,
  type DependencyHealth,
  type Health,
  type HealthReply,
  INCIDENT_KINDS,
  type Incident,
  type IncidentKind,
  isIncidentKind,
  listIncidents,
  openIncident,
} from '../index.ts';
export { type CloseByHand, closeByHand } from './close-by-hand.ts';
export { type Discarded, discardLetter } from './dead-letters/discard-letter.ts';
export { editLetter } from './dead-letters/edit-letter.ts';
export {
  groupLetters,
  type LetterFilter,
  type LetterGroup,
  type LetterView,
  listLetters,
} from './dead-letters/list-letters.ts';
export { type ByPerson, type Redriven, redriveGroup, redriveLetter } from './dead-letters/redrive-letters.ts';
export { createLetterReports } from './dead-letters/report-letters.ts';
export {
  type CounterFilter,
  type CounterPage,
  type CounterView,
  type GateView,
  listCounters,
} from './list-counters.ts';
export {
  LOG_CAUSES,
  LOG_KINDS,
  type LogEntry,
  type LogFilter,
  type LogKind,
  type LogPage,
  listReconcileLog,
} from './list-reconcile-log.ts';
export {
  listReservations,
  type ReservationDetail,
  type ReservationFilter,
  type ReservationView,
  readReservation,
} from './list-reservations.ts';
export { listParkedEvents, type ParkedKey, type PutBack, putBackEvents } from './parked-events/put-back-events.ts';
export {
  type GateHealth,
  gateHealth,
  type JobExpectation,
  type JobHealth,
  type JobRun,
  jobHealth,
  type OutboxHealth,
  type Overview,
  outboxHealth,
  readOverview,
  recentJobRuns,
  SPARSE_RECORD_MS,
} from './read-health.ts';
