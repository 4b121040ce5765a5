import { listReconcileRuns } from '@holdfast/core/ops';
import { viewerProcedure } from '../init.ts';

export const reconcileRuns = viewerProcedure.query(({ ctx }) => listReconcileRuns(ctx.deps.readPool, { limit: 50 }));
