/**
 * Whose fault an error of a handler is (P33). An outage is never a message's fault: it is waited for. What is left
 * is the message's: it is tried again outside its partition, alone.
 */
import { classifyDatabaseError, databaseErrorCode, isDatabaseError } from '../platform/index.ts';

/** Our own transaction took too long and was ended by the server, which is there: five tries, no outage. */
const TOO_LONG = new Set(['25P03', '25P04']);

/** Waiting may help: a server is away, or a lock or deadlock stood in the way of a statement that did not happen. */
export function mayPass(error: unknown): boolean {
  return isOutage(error) || classifyDatabaseError(error) === 'repeat' || TOO_LONG.has(databaseErrorCode(error) ?? '');
}

/** A plain error of our own code is no outage; only what came from the database is. */
export function isOutage(error: unknown): boolean {
  if (TOO_LONG.has(databaseErrorCode(error) ?? '')) return false;
  const kind = classifyDatabaseError(error);
  return kind === 'outage' || (kind === 'unknown' && isDatabaseError(error));
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  return `${error.name}${code}: ${error.message}`;
}
