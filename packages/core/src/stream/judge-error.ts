/**
 * Whose fault an error of a handler is (P33). An outage is never a message's fault: it is waited for. What is left
 * is the message's: it becomes a dead letter, alone.
 */
import { classifyDatabaseError } from '../platform/index.ts';

/** Errors of the driver without a code: the connection went away, or none was to be had. */
const CONNECTION = /connection|connect|socket|read timeout|timeout exceeded|not queryable|calling end on the pool/i;

/** Waiting may help: a server is away, or a lock or deadlock stood in the way of a statement that did not happen. */
export function mayPass(error: unknown): boolean {
  return isOutage(error) || classifyDatabaseError(error) === 'repeat';
}

export function isOutage(error: unknown): boolean {
  const kind = classifyDatabaseError(error);
  if (kind === 'outage') return true;
  if (kind !== 'unknown') return false;
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string') return true;
  // A plain error of our own code has no code either; only the driver's connection errors are an outage.
  return error instanceof Error && error.constructor === Error && CONNECTION.test(error.message);
}
