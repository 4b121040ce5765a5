import { readOverview } from '@holdfast/core/ops';
import { viewerProcedure } from '../init.ts';
import { lastRunSummary } from './overview.schema.ts';

/** Counts by state, what is open, and the last reconcile run in short. */
export const overview = viewerProcedure.query(async ({ ctx }) => {
  const { lastReconcile: run, ...counts } = await readOverview(ctx.deps.readPool);
  return { ...counts, lastReconcile: run && { ...run, summary: lastRunSummary.parse(run.summary) } };
});
