import { refundOrder } from '@holdfast/core/order';
import { orRefuse } from '../failure.ts';
import { operatorProcedure } from '../init.ts';
import { refundInput } from './refund.schema.ts';

export const refund = operatorProcedure
  .input(refundInput)
  .mutation(async ({ ctx, input: { tradeId, wish, reason, key } }) =>
    orRefuse(
      await refundOrder(ctx.deps.payments, {
        tradeId,
        wish,
        idempotencyKey: key,
        by: { name: ctx.signedIn.email, reason },
      }),
    ),
  );
