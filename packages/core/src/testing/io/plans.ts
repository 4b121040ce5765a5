/**
 * What happens to one call of a process: it is the n-th (from 0), or the first that fits. `loseReply` and `neverRuns`
 * look the same to the process, which is why a lost answer is neither yes nor no (P15).
 */
import { type Io, type IoCall, NoReply, ProcessDied } from './io.ts';

export type Which = number | ((call: IoCall) => boolean);

export interface WatchedProcess {
  readonly io: Io;
  /** Every call so far, in order. */
  readonly calls: readonly IoCall[];
  /** True once the call in question has come. */
  readonly met: () => boolean;
}
type Act = <T>(run: () => Promise<T>) => Promise<T>;

export const countCalls = (): WatchedProcess => disturb(-1, (run) => run());

/** Done, and the answer lost. */
export const loseReply = (which: Which): WatchedProcess =>
  disturb(which, async (run) => {
    await run();
    throw new NoReply();
  });

/** Not done, and no answer. */
export const neverRuns = (which: Which): WatchedProcess => disturb(which, () => Promise.reject(new NoReply()));

/** Done twice, as by a second copy on the way; the first answer counts. PostgreSQL has no such second copy. */
export const twice = (which: Which): WatchedProcess =>
  disturb(which, async (run) => {
    const first = await run();
    await run();
    return first;
  });

export interface HeldCall extends WatchedProcess {
  /** Lets the call go on; its outcome is that of the call. */
  go(): Promise<void>;
}

/** No answer for the process; the call itself is done when told. */
export function runsLate(which: Which): HeldCall {
  const held: (() => Promise<unknown>)[] = [];
  const process = disturb(which, (run) => {
    held.push(run);
    return Promise.reject(new NoReply());
  });
  return { ...process, go: async () => void (await held.pop()?.()) };
}

/** The process stands still before the call until told: a zombie, for everybody else. */
export function pause(which: Which): HeldCall {
  const gate = Promise.withResolvers<void>();
  const process = disturb(which, async (run) => {
    await gate.promise;
    return run();
  });
  return { ...process, go: async () => gate.resolve() };
}

export interface CrashingProcess extends WatchedProcess {
  /** Resolves when the process has crashed and the last of what it had sent is done. */
  readonly died: Promise<void>;
}

/**
 * `before`: the call is not sent. `after`: it is done and nobody is told. From there on every call ends with
 * ProcessDied, whatever the code makes of it.
 */
export function crashAt(which: Which, edge: 'before' | 'after'): CrashingProcess {
  const end = Promise.withResolvers<void>();
  const sent = new Set<Promise<unknown>>();
  const calls: IoCall[] = [];
  let dead = false;
  let met = false;
  const die = (): never => {
    if (!dead) setImmediate(() => void Promise.allSettled(sent).then(() => end.resolve()));
    dead = true;
    throw new ProcessDied();
  };
  const io: Io = async (call, run) => {
    if (dead) die();
    const here = !met && fits(which, call, calls.push(call) - 1);
    met ||= here;
    if (here && edge === 'before') die();
    const reply = run();
    sent.add(reply);
    const known = await Promise.allSettled([reply]);
    sent.delete(reply);
    if (dead || here) die();
    return known[0].status === 'fulfilled' ? known[0].value : reply;
  };
  return { io, calls, met: () => met, died: end.promise };
}

function disturb(which: Which, act: Act): WatchedProcess {
  const calls: IoCall[] = [];
  let met = false;
  const io: Io = (call, run) => {
    const here = !met && fits(which, call, calls.push(call) - 1);
    met ||= here;
    return here ? act(run) : run();
  };
  return { io, calls, met: () => met };
}

const fits = (which: Which, call: IoCall, place: number) => (typeof which === 'number' ? which === place : which(call));
