import { requestReturn } from '@holdfast/core/order';
import { orRefuse } from '../failure.ts';
import { buyerProcedure } from '../init.ts';
import { requestReturnInput } from './request-return.schema.ts';

export const requestReturnProcedure = buyerProcedure
  .input(requestReturnInput)
  .mutation(async ({ ctx, input: { key, ...wish } }) =>
    orRefuse(await requestReturn(ctx.deps.payments, { ...wish, buyerId: ctx.buyerId, idempotencyKey: key })),
  );
