import { uploadImport } from '@holdfast/core/stock';
import { orRefuse } from '../failure.ts';
import { operatorProcedure } from '../init.ts';
import { importFileInput } from './stock.schema.ts';

/** Keeps a file of changes for review; nothing is booked yet. */
export const importStock = operatorProcedure
  .input(importFileInput)
  .mutation(async ({ ctx, input }) =>
    orRefuse(await uploadImport(ctx.deps.stock.pool, { ...input, actor: ctx.signedIn.email })),
  );
