import { askForRebuild } from '@holdfast/core/gate';
import { orRefuse } from '../failure.ts';
import { operatorProcedure } from '../init.ts';
import { rebuildGateInput } from './rebuild-gate.schema.ts';

/** Asks for the whole gate to be loaded anew from the ledger (P10); the gatekeeper does it within seconds. */
export const rebuildGate = operatorProcedure
  .input(rebuildGateInput)
  .mutation(async ({ ctx, input }) =>
    orRefuse(
      await askForRebuild(
        { pool: ctx.deps.hotPool, waker: ctx.deps.payments.waker },
        { ...input, actor: ctx.signedIn.email },
      ),
    ),
  );
