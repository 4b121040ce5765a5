import { switchGateMode } from '@holdfast/core/ledger';
import { orRefuse } from '../failure.ts';
import { operatorProcedure } from '../init.ts';
import { switchModeInput } from './switch-mode.schema.ts';

/** Moves a SKU between gate and ledger while it is being sold (P20). */
export const switchMode = operatorProcedure
  .input(switchModeInput)
  .mutation(async ({ ctx, input }) =>
    orRefuse(
      await switchGateMode(
        { pool: ctx.deps.hotPool, waker: ctx.deps.payments.waker },
        { ...input, actor: ctx.signedIn.email },
      ),
    ),
  );
