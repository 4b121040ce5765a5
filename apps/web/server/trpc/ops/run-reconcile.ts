import { reconcile } from '@holdfast/core/reconcile';
import { operatorProcedure } from '../init.ts';

const BUDGET_MS = 20_000;

/** A run by hand, under the operator's name in the log. Runs beside the job's own change nothing twice. */
export const runReconcile = operatorProcedure.mutation(({ ctx }) =>
  reconcile(ctx.deps.books, { actor: ctx.signedIn.email, budgetMs: BUDGET_MS }),
);
