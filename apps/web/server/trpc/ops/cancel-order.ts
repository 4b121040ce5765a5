import { cancelOrder } from '@holdfast/core/order';
import { orRefuse } from '../failure.ts';
import { operatorProcedure } from '../init.ts';
import { cancelOrderInput } from './cancel-order.schema.ts';

export const cancelOrderProcedure = operatorProcedure
  .input(cancelOrderInput)
  .mutation(async ({ ctx, input: { tradeId, reason, ifPaid } }) =>
    orRefuse(
      await cancelOrder(ctx.deps.payments, {
        tradeId,
        by: { kind: 'operator', name: ctx.signedIn.email, reason, ifPaid },
      }),
    ),
  );
