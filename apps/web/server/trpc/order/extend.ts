import { extendPayment } from '@holdfast/core/order';
import { orRefuse } from '../failure.ts';
import { buyerProcedure } from '../init.ts';
import { tradeInput } from './trade.schema.ts';

/** Once per order, before its time is over (P40). */
export const extend = buyerProcedure
  .input(tradeInput)
  .mutation(async ({ ctx, input }) =>
    orRefuse(await extendPayment(ctx.deps.payments, { tradeId: input.tradeId, buyerId: ctx.buyerId })),
  );
