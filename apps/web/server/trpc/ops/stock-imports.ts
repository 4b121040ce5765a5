import { listImports } from '@holdfast/core/stock';
import { viewerProcedure } from '../init.ts';

/** Imports, newest first. */
export const stockImports = viewerProcedure.query(({ ctx }) => listImports(ctx.deps.readPool));
