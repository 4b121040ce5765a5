/** Repeats database work that is known not to have happened: at most 5 tries, growing jittered waits (P15, P33). */
import { setTimeout as sleep } from 'node:timers/promises';
import { classifyDatabaseError } from './postgres.ts';

export const MAX_DATABASE_TRIES = 5;

export async function repeatOnConflict<T>(
  work: () => Promise<T>,
  onRepeat: (code: string) => void = () => undefined,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (classifyDatabaseError(error) !== 'repeat' || attempt === MAX_DATABASE_TRIES) throw error;
      onRepeat(String((error as { code?: unknown }).code));
      await sleep(10 * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}
