import { readStock } from '@holdfast/core/order';
import { openProcedure } from '../init.ts';
import { stockInput } from './stock.schema.ts';

/** Free units, read for this request (C62: never older than five seconds on a screen). */
export const stock = openProcedure.input(stockInput).query(async ({ ctx, input }) => {
  const lines = await readStock({ sql: ctx.deps.readPool, gate: ctx.deps.gate }, input.skus);
  return { readAt: new Date(), lines };
});
