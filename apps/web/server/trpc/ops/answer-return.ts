import { answerReturn } from '@holdfast/core/order';
import { orRefuse } from '../failure.ts';
import { operatorProcedure } from '../init.ts';
import { answerReturnInput } from './answer-return.schema.ts';

export const answerReturnProcedure = operatorProcedure
  .input(answerReturnInput)
  .mutation(async ({ ctx, input: { returnItemId, answer, reason } }) =>
    orRefuse(await answerReturn(ctx.deps.payments, { returnItemId, answer, by: { name: ctx.signedIn.email, reason } })),
  );
