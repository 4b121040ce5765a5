import { refuse } from '@holdfast/core/domain';
import { Refused } from '../failure.ts';
import { viewerProcedure } from '../init.ts';
import { readShownOrder } from '../order/shown-order.ts';
import { tradeInput } from '../order/trade.schema.ts';

export const order = viewerProcedure.input(tradeInput).query(async ({ ctx, input }) => {
  const found = await readShownOrder(ctx.deps.readPool, { tradeId: input.tradeId });
  if (!found) throw new Refused(refuse('NOT_FOUND', 'There is no such order.'));
  return found;
});
