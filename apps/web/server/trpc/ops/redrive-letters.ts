import { isRefused } from '@holdfast/core/domain';
import { discardLetter, editLetter, redriveGroup, redriveLetter } from '@holdfast/core/ops';
import { Refused } from '../failure.ts';
import { operatorProcedure } from '../init.ts';
import { discardLetterInput, editLetterInput, redriveGroupInput, redriveLetterInput } from './dead-letters.schema.ts';

/** Each of these is done by the worker in the key's turn; the list shows what came of it. */
export const redriveDeadLetter = operatorProcedure
  .input(redriveLetterInput)
  .mutation(async ({ ctx, input }) =>
    orThrow(await redriveLetter(ctx.deps.hotPool, { ...input, actor: ctx.signedIn.email })),
  );

export const redriveDeadLetters = operatorProcedure
  .input(redriveGroupInput)
  .mutation(async ({ ctx, input }) =>
    orThrow(await redriveGroup(ctx.deps.hotPool, { ...input, actor: ctx.signedIn.email })),
  );

export const editDeadLetter = operatorProcedure
  .input(editLetterInput)
  .mutation(async ({ ctx, input }) =>
    orThrow(await editLetter(ctx.deps.hotPool, { ...input, actor: ctx.signedIn.email })),
  );

export const discardDeadLetter = operatorProcedure
  .input(discardLetterInput)
  .mutation(async ({ ctx, input }) =>
    orThrow(await discardLetter(ctx.deps.hotPool, { ...input, actor: ctx.signedIn.email })),
  );

function orThrow<T extends { readonly kind: string }>(outcome: T) {
  if (isRefused(outcome)) throw new Refused(outcome);
  return outcome;
}
