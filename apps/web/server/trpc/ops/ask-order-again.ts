import { isRefused } from '@holdfast/core/domain';
import { askAgain } from '@holdfast/core/order';
import { Refused } from '../failure.ts';
import { operatorProcedure } from '../init.ts';
import { askOrderAgainInput } from './dead-letters.schema.ts';

/** The safe action for an order that stands still (ORDER_STUCK). */
export const askOrderAgain = operatorProcedure.input(askOrderAgainInput).mutation(async ({ ctx, input }) => {
  const outcome = await askAgain(ctx.deps.hotPool, { ...input, actor: ctx.signedIn.email });
  if (isRefused(outcome)) throw new Refused(outcome);
  return outcome;
});
