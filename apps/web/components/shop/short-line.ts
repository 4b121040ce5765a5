/** Why a line of an order was too long: what is left of the stock, or what one buyer may have of it. Never one for the other. */
import type { SeenFailure } from '../trpc/failure-of.ts';

export function shortLine(code: SeenFailure['code'], left: number): string {
  if (code === 'LIMIT_EXCEEDED') return left === 0 ? 'No more for you now' : `At most ${left} for you now`;
  return left === 0 ? 'Sold out' : `Only ${left} left`;
}
