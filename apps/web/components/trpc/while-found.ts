/** How often a page asks again: not at all for what does not exist, or its refusal would blink away at every question. */
import { failureOf } from './failure-of.ts';

interface Asked {
  readonly state: { readonly error: unknown };
}

export function whileFound(everyMs: number): (query: Asked) => number | false {
  return ({ state }) => (isMissing(state.error) ? false : everyMs);
}

export function isMissing(error: unknown): boolean {
  return Boolean(error) && failureOf(error).code === 'NOT_FOUND';
}
