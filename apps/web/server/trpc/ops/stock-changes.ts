import { listStockChanges } from '@holdfast/core/stock';
import { viewerProcedure } from '../init.ts';

/** What people have done to stock, newest first. */
export const stockChanges = viewerProcedure.query(({ ctx }) => listStockChanges(ctx.deps.readPool));
