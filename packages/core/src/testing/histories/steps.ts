/**
 * One process of the product as a history sees it: each call to a server is a step, and at one of them the process may
 * be held, may die, or may lose the reply. The product has no hook for it: `Io` stands in the connections it is given.
 */
import { type Io, type IoCall, ProcessDied } from '../io/index.ts';

export interface StepCall extends IoCall {
  /** Cannot be carried out after its caller has given up: a statement within a transaction. */
  readonly bound?: boolean;
}
/** What a client sees of a connection that went away; nothing says whether the call was carried out (P15). */
export class ConnectionLost extends Error {
  constructor({ server }: IoCall) {
    super(server === 'postgres' ? 'Connection terminated unexpectedly' : 'Connection is closed.');
  }
}

export const MISHAPS = ['hold', 'crash-before', 'crash-after', 'reply-lost', 'runs-late', 'never-runs'] as const;
export type MishapKind = (typeof MISHAPS)[number];
export interface Mishap {
  readonly kind: MishapKind;
  /** The step from now, 1 or more. */
  readonly at: number;
}
/** A call whose caller has given up and that may still be carried out. */
export interface LateCall {
  readonly call: IoCall;
  readonly run: () => Promise<unknown>;
}

export interface Steps {
  readonly io: Io;
  arm(mishap: Mishap | undefined): void;
  /** What happened at which call, once it has. */
  struck(): { readonly kind: MishapKind; readonly call: IoCall } | undefined;
  /** Resolves when the process is held. */
  held(): Promise<void>;
  resume(): void;
  die(): void;
  isDead(): boolean;
  count(): number;
}

export function createSteps(onLate: (late: LateCall) => void): Steps {
  let [calls, dead] = [0, false];
  let mishap: (Mishap & { readonly step: number }) | undefined;
  let struck: { readonly kind: MishapKind; readonly call: IoCall } | undefined;
  let pause: { readonly until: Promise<void>; readonly end: () => void } | undefined;
  let toldHeld = Promise.withResolvers<void>();

  const waitWhileHeld = async () => {
    while (pause) await pause.until;
    if (dead) throw new ProcessDied();
  };
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    pause = { until: promise, end: resolve };
    toldHeld.resolve();
    return waitWhileHeld();
  };
  const io: Io = async (call: StepCall, run) => {
    await waitWhileHeld();
    calls++;
    if (!mishap || calls < mishap.step) return after(await run());
    const { kind } = mishap;
    mishap = undefined;
    struck = { kind, call };
    switch (kind) {
      case 'hold':
        await hold();
        return after(await run());
      case 'crash-before':
        dead = true;
        break;
      case 'crash-after':
        await run();
        dead = true;
        break;
      case 'reply-lost':
        await run();
        throw new ConnectionLost(call);
      case 'runs-late':
        if (!call.bound) onLate({ call, run });
        throw new ConnectionLost(call);
      case 'never-runs':
        throw new ConnectionLost(call);
    }
    throw new ProcessDied();
  };
  const after = <T>(value: T): T => {
    if (dead) throw new ProcessDied();
    return value;
  };
  const release = () => {
    pause?.end();
    pause = undefined;
    toldHeld = Promise.withResolvers<void>();
  };
  return {
    io,
    arm(wanted) {
      struck = undefined;
      mishap = wanted && { ...wanted, step: calls + wanted.at };
    },
    struck: () => struck,
    held: () => toldHeld.promise,
    resume: release,
    die() {
      dead = true;
      release();
    },
    isDead: () => dead,
    count: () => calls,
  };
}
