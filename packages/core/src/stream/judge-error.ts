/**
 * Whose fault an error of a handler is (P33). An outage is never a message's fault: it is waited for. What is left
 * is the message's: it becomes a dead letter, alone.
 */
import { classifyDatabaseError, isDatabaseError } from '../platform/index.ts';

/** Waiting may help: a server is away, or a lock or deadlock stood in the way of a statement that did not happen. */
export function mayPass(error: unknown): boolean {
  return isOutage(error) || classifyDatabaseError(error) === 'repeat';
}

/** A plain error of our own code is no outage; only what came from the database is. */
export function isOutage(error: unknown): boolean {
  const kind = classifyDatabaseError(error);
  return kind === 'outage' || (kind === 'unknown' && isDatabaseError(error));
}
