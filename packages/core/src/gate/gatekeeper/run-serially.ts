/** One pass at a time; a wish during a pass makes one more. A pass that fails is left to the next wish. */
export interface SerialRuns {
  /** Resolves when a pass that began after this call, or the last one wished for, has ended. */
  run(): Promise<void>;
  /** No further pass begins; resolves when the present one has ended. */
  stop(): Promise<void>;
}

export function runSerially(pass: () => Promise<void>, onError: (error: unknown) => void): SerialRuns {
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = false;

  const passes = async () => {
    do {
      again = false;
      await pass().catch(onError);
    } while (again && !stopped);
  };
  return {
    run() {
      if (running !== undefined) {
        again = true;
        return running;
      }
      running = passes().finally(() => {
        running = undefined;
      });
      return running;
    },
    async stop() {
      stopped = true;
      await running;
    },
  };
}
