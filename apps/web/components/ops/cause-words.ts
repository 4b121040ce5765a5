/** Short names of what reconcile can find, for filters and chips; the whole sentence stands in the entry. */
export const CAUSE_WORDS: Readonly<Record<string, string>> = {
  GHOST: 'ghost hold',
  ENDED_BUT_HELD: 'ended, still held',
  SOLD_BUT_HELD: 'sold, still held',
  MISSING_HOLD: 'hold is missing',
  QUANTITY_DIFFERS: 'units of a hold differ',
  COUNTER_DIFFERS: 'D differs',
  CAPACITY_DIFFERS: 'T differs',
  GENERATION_DIFFERS: 'other generation',
  BROKEN_KEY: 'broken key',
  NOT_LOADED: 'key is missing',
  BUSY: 'load not finished',
  STALE_EPOCH: 'other epoch',
};

export function sayCause(cause: string): string {
  return CAUSE_WORDS[cause] ?? cause.toLowerCase().replaceAll('_', ' ');
}

const ACTIONS: Readonly<Record<string, string>> = {
  INSTALL: 'loaded anew',
  EFFECTS: 'effects issued again',
  SWEEP: 'swept',
  REBUILD: 'gate rebuilt',
};

export function sayAction(after: Readonly<Record<string, unknown>>): string {
  const { action } = after;
  return (typeof action === 'string' && ACTIONS[action]) || 'repaired';
}
