/** All chance of a history: whole numbers, from fast-check, which makes them smaller when a history fails. */
export interface Tape {
  /** Which command; by name where a schedule is kept. */
  readonly what: number | string;
  /** Of whom: process, order, SKU. */
  readonly who: number;
  readonly how: number;
  /** Which mishap at which step; 0: none. */
  readonly fault: number;
}

/** A whole history. */
export interface Script {
  readonly world: readonly number[];
  readonly tapes: readonly Tape[];
}

export const LARGEST = 999_999;

/** The n-th digit-like part of a number: independent choices out of one. */
export const part = (value: number, index: number, of: number): number => Math.floor(value / 7 ** index) % of;

export function pick<T>(list: readonly T[], choice: number): T | undefined {
  return list[choice % Math.max(1, list.length)];
}
