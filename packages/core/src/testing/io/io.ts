/**
 * Every call to a server as a step with a name. What stands between the product and its servers is a value: one `Io` is
 * one process of the product. It may count, lose a reply, wait, or let the process die. For tests alone: the product
 * has no hook for it, its pools and connections are wrapped where a test hands them in.
 */
export interface IoCall {
  readonly server: 'postgres' | 'redis' | 'kafka' | 'provider';
  /** First words of the statement, the command (of the gate: its verb), or the provider's verb. */
  readonly what: string;
}

/** Calls `run` once, as the wire does, or as often as the test wants. Throws `NoReply` where the answer is to be lost. */
export type Io = <T>(call: IoCall, run: () => Promise<T>) => Promise<T>;

/** What every call of a process that has crashed ends with: nothing of it reaches a server any more. */
export class ProcessDied extends Error {
  override readonly name = 'ProcessDied';
  constructor() {
    super('this process has crashed');
  }
}

/** No answer came. Each wrapper turns it into what its real client says of a lost answer (P15). */
export class NoReply extends Error {
  override readonly name = 'NoReply';
}
