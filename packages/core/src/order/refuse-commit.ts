/** What the commit says of an order that it judged by the ledger's own figures, in words for the buyer. */
import { z } from 'zod';
import { type Failure, refuse } from '../domain/index.ts';
import { type AttemptLine, linesOf, type OrderAttempt } from './build-order.ts';
import { isCouponRefusal, refuseCoupon } from './promotion/apply-coupon.ts';
import { nameOf, soldOut } from './take-units.ts';

const left = z.array(z.object({ shopId: z.string(), skuId: z.string(), wanted: z.number(), left: z.number() }));
const limited = z.array(
  z.object({ shopId: z.string(), skuId: z.string(), wanted: z.number(), left: z.number(), limit: z.number() }),
);

/** @throws when the commit's answer is not what it writes for this verdict */
export function refuseCommit(
  verdict: 'SOLD_OUT' | 'BUYER_LIMIT' | 'COUPON_REFUSED',
  detail: unknown,
  attempt: OrderAttempt,
): Failure {
  const lines = linesOf(attempt);
  switch (verdict) {
    case 'SOLD_OUT':
      return soldOut(left.parse(detail), lines);
    case 'BUYER_LIMIT':
      return overBuyerLimit(limited.parse(detail), lines);
    case 'COUPON_REFUSED':
      return refuseCoupon(isCouponRefusal(detail) ? detail : 'CHANGED');
  }
}

export function tooManyOpen(openOrdersLimit: number): Failure {
  return refuse('LIMIT_EXCEEDED', `At most ${openOrdersLimit} unpaid orders at a time. Pay or cancel one first.`);
}

function overBuyerLimit(over: z.infer<typeof limited>, lines: readonly AttemptLine[]): Failure {
  const sentences = over.map((line) => {
    const rest = line.left === 0 ? 'none is left for you now' : `${line.left} of them are left for you`;
    return `at most ${line.limit} of ${nameOf(line, lines)} a buyer, ${rest}`;
  });
  const text = sentences.join('; ');
  return refuse('LIMIT_EXCEEDED', `${text.charAt(0).toUpperCase()}${text.slice(1)}.`, {
    lines: over.map(({ limit: _limit, ...line }) => line),
  });
}
