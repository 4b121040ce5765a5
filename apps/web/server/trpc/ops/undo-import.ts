import { undoImport as undo } from '@holdfast/core/stock';
import { orRefuse } from '../failure.ts';
import { operatorProcedure } from '../init.ts';
import { importInput } from './stock.schema.ts';

/** Books the opposite of what an import has booked; called again it goes on where it stopped. */
export const undoImport = operatorProcedure
  .input(importInput)
  .mutation(async ({ ctx, input }) => orRefuse(await undo(ctx.deps.stock, { ...input, actor: ctx.signedIn.email })));
