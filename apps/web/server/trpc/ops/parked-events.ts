import { isRefused } from '@holdfast/core/domain';
import { listParkedEvents, putBackEvents } from '@holdfast/core/ops';
import { Refused } from '../failure.ts';
import { operatorProcedure, viewerProcedure } from '../init.ts';
import { putBackEventsInput } from './dead-letters.schema.ts';

/** Events that cannot be sent, by key (P32). */
export const parkedEvents = viewerProcedure.query(({ ctx }) => listParkedEvents(ctx.deps.readPool));

/** All events of the key, in their order. */
export const putBackParkedEvents = operatorProcedure.input(putBackEventsInput).mutation(async ({ ctx, input }) => {
  const outcome = await putBackEvents(ctx.deps.hotPool, { ...input, actor: ctx.signedIn.email });
  if (isRefused(outcome)) throw new Refused(outcome);
  return outcome;
});
