/** What the gate's scripts answer, decoded here alone; the words stand in the headers of lua/. */

export interface GateCounters {
  readonly kind: 'read';
  readonly epoch: number;
  readonly generation: number;
  readonly total: number;
  readonly deducted: number;
  readonly version: number;
  readonly holdCount: number;
}
export interface GateHold {
  readonly reservationId: string;
  readonly quantity: number;
  readonly takenAtMs: number;
}
export type TakeReply =
  | { readonly word: 'TAKEN'; readonly generations: readonly number[] }
  | { readonly word: 'SOLD_OUT'; readonly left: readonly number[] }
  | { readonly word: 'NOT_LOADED' | 'STALE_EPOCH'; readonly index: number }
  | { readonly word: 'BUSY' };
/** `refused`: not there, of another epoch, or still loading; nothing was done. */
export type MoveReply = { readonly kind: 'done'; readonly generation: number } | { readonly kind: 'refused' };
export type ReadReply =
  | { readonly word: 'READ'; readonly counters: Omit<GateCounters, 'kind' | 'epoch'>; readonly holds: GateHold[] }
  | { readonly word: 'BROKEN_KEY'; readonly key: string }
  | { readonly word: 'NOT_LOADED' | 'STALE_EPOCH' | 'BUSY' };

/** A script's raw reply as texts; numbers come as numbers or as texts, as the script made them. */
export function partsOf(reply: unknown): readonly string[] {
  return (reply as readonly (string | number)[]).map(String);
}

/** @throws on a word that take.lua does not have */
export function decodeTake([word, ...rest]: readonly string[]): TakeReply {
  switch (word) {
    case 'TAKEN':
      return { word, generations: rest.map(Number) };
    case 'SOLD_OUT':
      return { word, left: rest.map(Number) };
    case 'NOT_LOADED':
    case 'STALE_EPOCH':
      return { word, index: Number(rest[0]) - 1 };
    case 'BUSY':
      return { word };
    default:
      throw new Error(`take answered ${word}`);
  }
}

/** giveBack, settle and raise. */
export function decodeMove([word, generation]: readonly string[]): MoveReply {
  if (word === 'DONE') return { kind: 'done', generation: Number(generation) };
  return { kind: 'refused' };
}

/** One answer a SKU. @throws on a word that read.lua does not have */
export function decodeRead(parts: readonly string[]): ReadReply[] {
  const answers: ReadReply[] = [];
  for (let at = 0; at < parts.length; ) {
    const word = parts[at];
    if (word === 'NOT_LOADED' || word === 'BUSY' || word === 'STALE_EPOCH') {
      answers.push({ word });
      at += 1;
    } else if (word === 'BROKEN_KEY') {
      answers.push({ word, key: parts[at + 1] ?? '' });
      at += 2;
    } else if (word === 'READ') {
      const holdsAt = at + 7;
      at = holdsAt + 2 * numberAt(parts, at + 6);
      answers.push({ word, counters: countersAt(parts, holdsAt - 6), holds: holdsBetween(parts, holdsAt, at) });
    } else throw new Error(`read answered ${word}`);
  }
  return answers;
}

function countersAt(parts: readonly string[], at: number): Omit<GateCounters, 'kind' | 'epoch'> {
  return {
    generation: numberAt(parts, at),
    total: numberAt(parts, at + 1),
    deducted: numberAt(parts, at + 2),
    version: numberAt(parts, at + 3),
    holdCount: numberAt(parts, at + 4),
  };
}

function holdsBetween(parts: readonly string[], from: number, end: number): GateHold[] {
  const holds: GateHold[] = [];
  for (let at = from; at < end; at += 2) {
    const [reservationId = '', units] = (parts[at] ?? '').split(':');
    holds.push({ reservationId, quantity: Number(units), takenAtMs: numberAt(parts, at + 1) });
  }
  return holds;
}

/** A part that is missing is no number, never zero. */
function numberAt(parts: readonly string[], at: number): number {
  return Number(parts[at] ?? Number.NaN);
}

/** One page of a load: true when it went in, false when a newer (epoch, generation) stands there already. */
export function decodeInstall([word]: readonly string[]): boolean {
  return word === 'DONE';
}

/** The reply of SCRIPT EXISTS. */
export function allPresent(reply: unknown): boolean {
  return !partsOf(reply).includes('0');
}
