import { receiveOrder } from '@holdfast/core/order';
import { orRefuse } from '../failure.ts';
import { buyerProcedure } from '../init.ts';
import { receiveInput } from './receive.schema.ts';

/** "I have it": the buyer's own parcel has arrived. */
export const receive = buyerProcedure
  .input(receiveInput)
  .mutation(async ({ ctx, input }) =>
    orRefuse(await receiveOrder(ctx.deps.payments, { shopOrderId: input.shopOrderId, buyerId: ctx.buyerId })),
  );
