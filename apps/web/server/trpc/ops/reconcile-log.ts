import { listReconcileLog } from '@holdfast/core/ops';
import { viewerProcedure } from '../init.ts';
import { reconcileLogInput } from './reconcile.schema.ts';

/** Runs, findings and repairs, with what was there before and after. */
export const reconcileLog = viewerProcedure.input(reconcileLogInput).query(({ ctx, input }) => {
  const { limit, ...filter } = input;
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
  return listReconcileLog(ctx.deps.readPool, { ...given, limit });
});
