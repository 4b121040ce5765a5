import { closeByHand } from '@holdfast/core/ops';
import { orRefuse } from '../failure.ts';
import { operatorProcedure } from '../init.ts';
import { closeIncidentInput } from './incidents.schema.ts';

/** For the kinds that a person closes; all others close when their cause is gone. */
export const closeIncident = operatorProcedure
  .input(closeIncidentInput)
  .mutation(async ({ ctx, input }) =>
    orRefuse(await closeByHand(ctx.deps.hotPool, { ...input, actor: ctx.signedIn.email })),
  );
