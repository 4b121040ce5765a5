import { reconcile } from '@holdfast/core/reconcile';
import { operatorProcedure } from '../init.ts';
import { runInput, scopeOf } from './reconcile.schema.ts';

const BUDGET_MS = 20_000;

/** A run by hand, under the operator's name and reason in the log. Runs beside the job's own change nothing twice. */
export const runReconcile = operatorProcedure.input(runInput).mutation(({ ctx, input }) =>
  reconcile(ctx.deps.books, {
    ...scopeOf(input),
    actor: ctx.signedIn.email,
    reason: input.reason,
    budgetMs: BUDGET_MS,
  }),
);
