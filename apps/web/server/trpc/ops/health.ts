import { gateHealth, outboxHealth, readOverview } from '@holdfast/core/ops';
import { viewerProcedure } from '../init.ts';

/** What the overview says in sentences. Each is a call of its own, so that one that fails hides no other. */
export const gate = viewerProcedure.query(({ ctx }) => gateHealth(ctx.deps.readPool));
export const outbox = viewerProcedure.query(({ ctx }) => outboxHealth(ctx.deps.readPool));
export const overview = viewerProcedure.query(({ ctx }) => readOverview(ctx.deps.readPool));
