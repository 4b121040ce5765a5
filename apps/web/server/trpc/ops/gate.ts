import { gateHealth } from '@holdfast/core/ops';
import { viewerProcedure } from '../init.ts';

/** Whether the gate is open, and what it still has to be told. */
export const gate = viewerProcedure.query(({ ctx }) => gateHealth(ctx.deps.readPool));
