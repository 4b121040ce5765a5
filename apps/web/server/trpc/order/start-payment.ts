import { startPayment } from '@holdfast/core/order';
import { orRefuse } from '../failure.ts';
import { buyerProcedure } from '../init.ts';
import { tradeInput } from './trade.schema.ts';

export const startPaymentProcedure = buyerProcedure
  .input(tradeInput)
  .mutation(async ({ ctx, input }) =>
    orRefuse(await startPayment(ctx.deps.payments, { tradeId: input.tradeId, buyerId: ctx.buyerId })),
  );
