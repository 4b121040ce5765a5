import { refuse } from '@holdfast/core/domain';
import { Refused } from '../failure.ts';
import { openProcedure } from '../init.ts';
import { readShownOrder } from './shown-order.ts';
import { tradeInput } from './trade.schema.ts';

/** A buyer sees own orders only; somebody else's does not exist. */
export const read = openProcedure.input(tradeInput).query(async ({ ctx, input }) => {
  const trade = ctx.buyerId
    ? await readShownOrder(ctx.deps.readPool, { tradeId: input.tradeId, buyerId: ctx.buyerId })
    : null;
  if (!trade) throw new Refused(refuse('NOT_FOUND', 'There is no such order.'));
  return trade;
});
