/** A command of a history as data. */
import type { History } from './history.ts';
import type { Tape } from './tape.ts';

export interface Command {
  readonly name: string;
  readonly weight: number;
  /** Left out in worlds that are calm in this respect. */
  readonly kind?: string;
  /** Does nothing where there is nothing to do it to. */
  readonly run: (history: History, tape: Tape) => Promise<void>;
}
