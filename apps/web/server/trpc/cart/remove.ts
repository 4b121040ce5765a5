import { removeCartLine } from '@holdfast/core/order';
import { buyerProcedure } from '../init.ts';
import { removeInput } from './remove.schema.ts';

export const remove = buyerProcedure
  .input(removeInput)
  .mutation(({ ctx, input }) => removeCartLine(ctx.deps.prisma, { ...input, buyerId: ctx.buyerId }));
