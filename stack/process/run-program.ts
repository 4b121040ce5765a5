/** What a program gets: a signal that fires when it should stop, and a place for what it must undo at its end. */
export type Run = {
  signal: AbortSignal;
  /** Registers an undo; they run in reverse order at the end, however the program ends. */
  atEnd: (undo: () => Promise<void>) => void;
};

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs a program to its end or to the first request to stop, undoes what it did, and exits with its code. */
export async function runProgram(program: (run: Run) => Promise<number>): Promise<never> {
  const stopping = new AbortController();
  const undos: (() => Promise<void>)[] = [];
  const stop = () => stopping.abort(new Error('stopped'));
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  process.on('disconnect', stop); // the process that started this one is gone
  process.stdout.on('error', stop); // whoever read the output is gone
  let code = 1;
  try {
    code = await program({ signal: stopping.signal, atEnd: (undo) => undos.push(undo) });
  } catch (error) {
    code = stopping.signal.aborted ? 130 : 1;
    if (!stopping.signal.aborted) console.error(error instanceof Error ? error.message : error);
  }
  for (const undo of undos.toReversed()) {
    // One thing that cannot be undone must not leave the others running.
    await undo().catch((error: unknown) => {
      console.error(error);
      code = 1;
    });
  }
  process.exit(code);
}

/** Resolves when the program should stop. */
export function stopRequested(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
