import { recountStock } from '@holdfast/core/stock';
import { orRefuse } from '../failure.ts';
import { operatorProcedure } from '../init.ts';
import { recountInput } from './stock.schema.ts';

/** A counted figure, booked as the difference to the version that was on the screen (C08). */
export const recount = operatorProcedure
  .input(recountInput)
  .mutation(async ({ ctx, input }) =>
    orRefuse(await recountStock(ctx.deps.stock, { ...input, actor: ctx.signedIn.email })),
  );
