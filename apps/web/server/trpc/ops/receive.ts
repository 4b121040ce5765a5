import { receiveStock } from '@holdfast/core/ledger';
import { orRefuse } from '../failure.ts';
import { operatorProcedure } from '../init.ts';
import { unitsInput } from './stock.schema.ts';

/** Units came in: the ledger rises, the gate follows (P4). */
export const receive = operatorProcedure.input(unitsInput).mutation(async ({ ctx, input }) => {
  const received = orRefuse(await receiveStock(ctx.deps.stock.pool, { ...input, actor: ctx.signedIn.email }));
  ctx.deps.stock.waker.wake('effects');
  return received;
});
