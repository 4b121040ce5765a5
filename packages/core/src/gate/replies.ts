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

/** @throws on a word that read.lua does not have */
export function decodeRead(parts: readonly string[]): ReadReply {
  const [word, generation, total, deducted, version, holdCount, ...pairs] = parts;
  if (word === 'NOT_LOADED' || word === 'BUSY' || word === 'STALE_EPOCH') return { word };
  if (word !== 'READ') throw new Error(`read answered ${word}`);
  const holds: GateHold[] = [];
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    const [reservationId = '', units] = (pairs[i] ?? '').split(':');
    holds.push({ reservationId, quantity: Number(units), takenAtMs: Number(pairs[i + 1]) });
  }
  return {
    word,
    counters: {
      generation: Number(generation),
      total: Number(total),
      deducted: Number(deducted),
      version: Number(version),
      holdCount: Number(holdCount),
    },
    holds,
  };
}

/** One page of a load: true when it went in, false when a newer (epoch, generation) stands there already. */
export function decodeInstall([word]: readonly string[]): boolean {
  return word === 'DONE';
}

/** The reply of SCRIPT EXISTS. */
export function allPresent(reply: unknown): boolean {
  return !partsOf(reply).includes('0');
}
