/**
 * Asks the broker again when its answer is passing. kafkajs does so by itself for most calls, but not for the positions of
 * a group: a young broker, or one that has just taken a group over, says for some seconds that another has it.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const MAX_TRIES = 10;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2000;

export async function askAgain<T>(ask: () => Promise<T>, firstWaitMs = FIRST_WAIT_MS): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (!isPassing(error) || attempt === MAX_TRIES) throw error;
      await sleep(Math.min(firstWaitMs * 2 ** (attempt - 1), LONGEST_WAIT_MS) * (0.5 + Math.random() / 2));
    }
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof Error && 'retriable' in error && error.retriable === true;
}
