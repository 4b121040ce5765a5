import { refuse } from '@holdfast/core/domain';
import { readPayment } from '@holdfast/core/order';
import { Refused } from '../failure.ts';
import { openProcedure } from '../init.ts';
import { paymentInput } from './payment.schema.ts';

/** What the provider's page shows: whoever has the link may pay, as at a real provider. */
export const payment = openProcedure.input(paymentInput).query(async ({ ctx, input }) => {
  const found = await readPayment(ctx.deps.readPool, input.intentId);
  if (!found) throw new Refused(refuse('NOT_FOUND', 'There is no such payment.'));
  return found;
});
