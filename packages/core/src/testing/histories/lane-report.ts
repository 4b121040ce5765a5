/** What parent and lane say to each other. */
import type { Script } from './tape.ts';

export interface LaneWish {
  readonly lane: number;
  readonly seed: number;
  /** Histories. */
  readonly runs: number;
  /** Most commands of one. */
  readonly longest: number;
  /** Make a failing one smaller. */
  readonly shrink: boolean;
  /** Only from this place of the seed on. */
  readonly path?: string;
  /** Only this one. */
  readonly script?: Script;
}

export interface Failure {
  readonly seed?: number;
  readonly path?: string;
  readonly broken: readonly string[];
  readonly words: readonly string[];
  readonly script: Script;
}

export interface LaneReport {
  readonly histories: number;
  readonly steps: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly failure?: Failure;
}
