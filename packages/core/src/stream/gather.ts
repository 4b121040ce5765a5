/**
 * Brings the stretches of several partitions that one fetch has delivered into one transaction. A transaction, its
 * statements and an offset commit cost much the same for one event as for fifty, and at a few hundred events a
 * second each partition has only one or two. Order within a partition is kept; there is none between them.
 */
export interface Gathering<T> {
  /** Resolves or fails with the run that took `item`. */
  add(item: T): Promise<void>;
}
interface Waiting<T> {
  readonly item: T;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** @param most a run takes items until their sizes reach this; one run at a time */
export function createGathering<T>(
  most: number,
  sizeOf: (item: T) => number,
  run: (items: readonly T[]) => Promise<void>,
): Gathering<T> {
  const waiting: Waiting<T>[] = [];
  let busy = false;

  function take(): Waiting<T>[] {
    const taken: Waiting<T>[] = [];
    for (let size = 0; size < most || taken.length === 0; ) {
      const next = waiting.shift();
      if (!next) break;
      taken.push(next);
      size += sizeOf(next.item);
    }
    return taken;
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const taken = take();
      try {
        await run(taken.map(({ item }) => item));
        for (const { resolve } of taken) resolve();
      } catch (error) {
        for (const { reject } of taken) reject(error);
      }
    }
    busy = false;
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (busy) return;
        busy = true;
        // Everything that is added in this turn of the event loop belongs together.
        setImmediate(() => void work());
      }),
  };
}
