import { writeOff as writeOffStock } from '@holdfast/core/stock';
import { orRefuse } from '../failure.ts';
import { operatorProcedure } from '../init.ts';
import { unitsInput } from './stock.schema.ts';

/** Units left unsold: taken at the gate and booked at once, or refused with the number that is free (P4). */
export const writeOff = operatorProcedure
  .input(unitsInput)
  .mutation(async ({ ctx, input }) =>
    orRefuse(await writeOffStock(ctx.deps.stock, { ...input, actor: ctx.signedIn.email })),
  );
