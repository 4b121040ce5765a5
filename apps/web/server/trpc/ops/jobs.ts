import { recentJobRuns } from '@holdfast/core/ops';
import { viewerProcedure } from '../init.ts';

const RUNS_LOOKED_AT = 500;

/** The last run of each job that ran lately, in the jobs' alphabetical order. */
export const jobs = viewerProcedure.query(async ({ ctx }) => {
  const runs = await recentJobRuns(ctx.deps.readPool, { limit: RUNS_LOOKED_AT });
  const last = new Map<string, (typeof runs)[number]>();
  for (const run of runs) if (!last.has(run.job)) last.set(run.job, run);
  return [...last.values()].sort((a, b) => (a.job < b.job ? -1 : 1));
});
