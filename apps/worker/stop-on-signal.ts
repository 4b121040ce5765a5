/** SIGTERM and SIGINT end the process with 0 once the given steps are done; a step that hangs is cut off and exits 1. */
import type { Log } from '@holdfast/core/platform';

const STOP_LIMIT_MS = 9_000;

/** @param steps run one after another; what stands in one step stops side by side */
export function stopOnSignal(log: Log, steps: readonly (() => readonly Promise<unknown>[])[]): void {
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.error({ limitMs: STOP_LIMIT_MS }, 'not stopped in time; what was open is repeated by the next worker');
      process.exit(1);
    }, STOP_LIMIT_MS).unref();
    for (const step of steps)
      for (const outcome of await Promise.allSettled(step()))
        if (outcome.status === 'rejected') log.warn({ error: String(outcome.reason) }, 'a part did not stop cleanly');
    log.info({ signal }, 'stopped');
    process.exit(0);
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
}
