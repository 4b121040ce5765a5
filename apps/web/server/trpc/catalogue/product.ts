import { refuse } from '@holdfast/core/domain';
import { readProduct } from '@holdfast/core/order';
import { Refused } from '../failure.ts';
import { openProcedure } from '../init.ts';
import { productInput } from './product.schema.ts';

export const product = openProcedure.input(productInput).query(async ({ ctx, input }) => {
  const found = await readProduct(ctx.deps.prisma, input.productId);
  if (!found) throw new Refused(refuse('NOT_FOUND', 'There is no such product.'));
  return found;
});
