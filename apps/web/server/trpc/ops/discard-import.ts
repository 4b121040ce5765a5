import { discardImport as discard } from '@holdfast/core/stock';
import { orRefuse } from '../failure.ts';
import { operatorProcedure } from '../init.ts';
import { importInput } from './stock.schema.ts';

/** Throws a reviewed import away; nothing of it was booked. */
export const discardImport = operatorProcedure
  .input(importInput)
  .mutation(async ({ ctx, input }) =>
    orRefuse(await discard(ctx.deps.stock.pool, { ...input, actor: ctx.signedIn.email })),
  );
