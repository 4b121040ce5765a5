import { cancelOrder } from '@holdfast/core/order';
import { orRefuse } from '../failure.ts';
import { buyerProcedure } from '../init.ts';
import { tradeInput } from './trade.schema.ts';

export const cancel = buyerProcedure
  .input(tradeInput)
  .mutation(async ({ ctx, input }) =>
    orRefuse(
      await cancelOrder(ctx.deps.payments, { tradeId: input.tradeId, by: { kind: 'buyer', buyerId: ctx.buyerId } }),
    ),
  );
