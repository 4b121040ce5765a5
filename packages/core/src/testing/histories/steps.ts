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

export const MISHAPS = [
  'hold',
  'hold',
  'crash-before',
  'crash-after',
  'reply-lost',
  'reply-lost',
  'runs-late',
  'never-runs',
] as const;
export type MishapKind = (typeof MISHAPS)[number];
export interface Mishap {
  readonly kind: MishapKind;
  /** The step from now, 1 or more. */
  readonly at: number;
  /** Only steps of which this is a part are counted. */
  readonly of?: string;
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
  let [calls, ahead, dead] = [0, 0, false];
  let mishap: Mishap | undefined;
  let struck: ReturnType<Steps['struck']>;
  let pause: PromiseWithResolvers<void> | undefined;
  let toldHeld = Promise.withResolvers<void>();

  const passWhenHeld = async () => {
    while (pause) await pause.promise;
    if (dead) throw new ProcessDied();
  };
  const hold = () => {
    pause = Promise.withResolvers();
    toldHeld.resolve();
    return passWhenHeld();
  };
  const die = () => {
    dead = true;
  };
  const isDue = ({ what }: StepCall) =>
    mishap !== undefined && (mishap.of === undefined || what.includes(mishap.of)) && --ahead <= 0;
  const io: Io = async (call: StepCall, run) => {
    await passWhenHeld();
    calls++;
    const kind = isDue(call) ? mishap?.kind : undefined;
    if (kind) {
      mishap = undefined;
      struck = { kind, call };
      await strike(kind, call, run, { hold, die, onLate });
    }
    const result = await run();
    // Carried out, and nobody is told.
    if (kind === 'reply-lost') throw new ConnectionLost(call);
    if (kind === 'crash-after') die();
    if (dead) throw new ProcessDied();
    return result;
  };
  const release = () => {
    pause?.resolve();
    pause = undefined;
    toldHeld = Promise.withResolvers();
  };
  return {
    io,
    arm(wanted) {
      struck = undefined;
      mishap = wanted;
      ahead = wanted?.at ?? 0;
    },
    struck: () => struck,
    held: () => toldHeld.promise,
    resume: release,
    die() {
      die();
      release();
    },
    isDead: () => dead,
    count: () => calls,
  };
}

interface Means {
  readonly hold: () => Promise<void>;
  readonly die: () => void;
  readonly onLate: (late: LateCall) => void;
}

/** What comes before the call is carried out. @throws when it is not, or not now */
async function strike(kind: MishapKind, call: StepCall, run: () => Promise<unknown>, means: Means): Promise<void> {
  switch (kind) {
    case 'hold':
      return means.hold();
    case 'crash-before':
      means.die();
      throw new ProcessDied();
    case 'runs-late':
      if (!call.bound) means.onLate({ call, run });
      throw new ConnectionLost(call);
    case 'never-runs':
      throw new ConnectionLost(call);
    case 'crash-after':
    case 'reply-lost':
  }
}
