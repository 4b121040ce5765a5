import { applyImport as apply } from '@holdfast/core/stock';
import { orRefuse } from '../failure.ts';
import { operatorProcedure } from '../init.ts';
import { importInput } from './stock.schema.ts';

/** Books the rows of a reviewed import; called again it goes on where it stopped. */
export const applyImport = operatorProcedure
  .input(importInput)
  .mutation(async ({ ctx, input }) => orRefuse(await apply(ctx.deps.stock, { ...input, actor: ctx.signedIn.email })));
