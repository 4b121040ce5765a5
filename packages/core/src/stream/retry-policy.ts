/** How often and when a failing message is tried again (P33). Pure. */
import { classifyDatabaseError } from '../platform/index.ts';
import type { RetryPolicy } from './consumer-definition.ts';
import type { DeadLetter } from './dead-letter.ts';

/**
 * After `attempts` tries, the last of which ended by `error`. A unique key that is taken stays taken: such a message
 * is given up at once (C45).
 */
export function fateAfter(policy: RetryPolicy, attempts: number, error?: unknown): DeadLetter['fate'] {
  if (attempts >= policy.maxAttempts || classifyDatabaseError(error) === 'duplicate') return { status: 'DEAD' };
  return { status: 'RETRYING', inMs: Math.min(policy.initialMs * policy.multiplier ** (attempts - 1), policy.maxMs) };
}
