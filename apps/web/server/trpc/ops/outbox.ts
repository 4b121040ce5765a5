import { outboxHealth } from '@holdfast/core/ops';
import { viewerProcedure } from '../init.ts';

/** Events that still wait to be sent, and those that are parked. */
export const outbox = viewerProcedure.query(({ ctx }) => outboxHealth(ctx.deps.readPool));
