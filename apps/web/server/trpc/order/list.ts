import { listTrades } from '@holdfast/core/order';
import { openProcedure } from '../init.ts';

export const list = openProcedure.query(async ({ ctx }) =>
  ctx.buyerId ? await listTrades(ctx.deps.readPool, ctx.buyerId) : [],
);
