import { reviewImport } from '@holdfast/core/stock';
import { orRefuse } from '../failure.ts';
import { viewerProcedure } from '../init.ts';
import { importInput } from './stock.schema.ts';

/** One import against the stock and the holds of this moment. */
export const stockImport = viewerProcedure
  .input(importInput)
  .query(async ({ ctx, input }) =>
    orRefuse(await reviewImport({ pool: ctx.deps.readPool, gate: ctx.deps.gate }, input.importId)),
  );
