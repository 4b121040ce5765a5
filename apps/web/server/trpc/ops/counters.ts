import { listCounters } from '@holdfast/core/ops';
import { viewerProcedure } from '../init.ts';
import { countersInput } from './counters.schema.ts';

/** Gate beside ledger for each SKU, with the time at which they were read (C62). */
export const counters = viewerProcedure.input(countersInput).query(({ ctx, input }) => {
  const { shopId, cursor, ...rest } = input;
  return listCounters(ctx.deps.books, { ...rest, ...(shopId && { shopId }), ...(cursor && { after: cursor }) });
});
