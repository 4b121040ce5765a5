import { placeOrder, placeOrderInput } from '@holdfast/core/order';
import { orRefuse } from '../failure.ts';
import { buyerProcedure } from '../init.ts';

/** The schema is core's own: what a buyer may send is decided where it is used. */
export const place = buyerProcedure
  .input(placeOrderInput)
  .mutation(async ({ ctx, input }) =>
    orRefuse(await placeOrder(ctx.deps.desk, { ...input, buyerId: ctx.buyerId, traceId: ctx.ids.traceId })),
  );
