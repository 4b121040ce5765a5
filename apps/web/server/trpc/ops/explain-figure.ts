import { refuse } from '@holdfast/core/domain';
import { explainFigure, listFigureRows } from '@holdfast/core/reconcile';
import { Refused } from '../failure.ts';
import { viewerProcedure } from '../init.ts';
import { explainInput, figureRowsInput } from './explain-figure.schema.ts';

/** The named rows that add up to a figure of one SKU, now or at a past instant. */
export const explainFigureProcedure = viewerProcedure.input(explainInput).query(async ({ ctx, input }) => {
  const { at, ...question } = input;
  const answer = await explainFigure(ctx.deps.books, { ...question, ...(at && { at }) });
  if (!answer) throw new Refused(refuse('NOT_FOUND', 'The ledger has no such SKU.'));
  return answer;
});

/** What stands behind one of these rows, newest first. */
export const figureRows = viewerProcedure.input(figureRowsInput).query(({ ctx, input }) => {
  const { at, cursor, ...question } = input;
  return listFigureRows(ctx.deps.readPool, { ...question, ...(at && { at }), ...(cursor && { after: cursor }) });
});
