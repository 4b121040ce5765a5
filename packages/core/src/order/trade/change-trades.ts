/**
 * The frame of every change to a trade: one transaction, repeated when it is known not to have happened (P15),
 * and the relay and the gatekeeper woken once it is committed.
 */
import { type Failure, refuse } from '../../domain/index.ts';
import {
  classifyDatabaseError,
  inTransaction,
  isDatabaseError,
  type Log,
  type Pool,
  repeatOnConflict,
  type Tx,
  type Waker,
} from '../../platform/index.ts';

export interface TradeDeps {
  readonly pool: Pool;
  readonly waker: Waker;
  readonly log: Log;
}

export async function changeTrades<T>(deps: TradeDeps, work: (tx: Tx) => Promise<T>): Promise<T> {
  const result = await repeatOnConflict(() => inTransaction(deps.pool, work));
  wakeAfterChange(deps);
  return result;
}

export function wakeAfterChange(deps: TradeDeps): void {
  deps.waker.wake('outbox');
  deps.waker.wake('effects');
}

/** For requests: a database that is busy or away is an answer, not a crash (P33). All else is passed on. */
export async function orBusy<T>(work: () => Promise<T>): Promise<T | Failure> {
  try {
    return await work();
  } catch (error) {
    switch (classifyDatabaseError(error)) {
      case 'repeat':
      case 'outage':
        return refuse('BUSY', 'The shop is busy; please try again in a moment.', { retryAfterMs: 1000 });
      case 'unknown':
        // Errors that never came from the database are defects and stay thrown.
        if (!isDatabaseError(error)) throw error;
        return refuse('OUTCOME_UNKNOWN', 'The answer of the database was lost; please try again.', {
          retryAfterMs: 1000,
        });
      default:
        throw error;
    }
  }
}
