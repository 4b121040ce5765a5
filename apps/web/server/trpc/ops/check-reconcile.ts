import { previewReconcile } from '@holdfast/core/reconcile';
import { operatorProcedure } from '../init.ts';
import { checkInput, scopeOf } from './reconcile.schema.ts';

const BUDGET_MS = 10_000;

/** The dry run: both books compared, and what a run would do now. Nothing is written. */
export const checkReconcile = operatorProcedure
  .input(checkInput)
  .mutation(({ ctx, input }) => previewReconcile(ctx.deps.books, scopeOf(input), BUDGET_MS));
