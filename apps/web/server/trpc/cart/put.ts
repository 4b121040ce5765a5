import { putCartLine } from '@holdfast/core/order';
import { orRefuse } from '../failure.ts';
import { buyerProcedure } from '../init.ts';
import { putInput } from './put.schema.ts';

export const put = buyerProcedure
  .input(putInput)
  .mutation(async ({ ctx, input }) => orRefuse(await putCartLine(ctx.deps.prisma, { ...input, buyerId: ctx.buyerId })));
