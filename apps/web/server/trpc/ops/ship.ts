import { shipOrder } from '@holdfast/core/order';
import { orRefuse } from '../failure.ts';
import { operatorProcedure } from '../init.ts';
import { shipInput } from './ship.schema.ts';

export const ship = operatorProcedure
  .input(shipInput)
  .mutation(async ({ ctx, input }) =>
    orRefuse(await shipOrder(ctx.deps.payments, { ...input, by: { name: ctx.signedIn.email } })),
  );
