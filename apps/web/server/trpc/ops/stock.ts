import { refuse } from '@holdfast/core/domain';
import { readStock } from '@holdfast/core/stock';
import { Refused } from '../failure.ts';
import { viewerProcedure } from '../init.ts';
import { stockInput } from './stock.schema.ts';

/** What a form for a change of stock shows, with the version that a recount names. */
export const stock = viewerProcedure.input(stockInput).query(async ({ ctx, input: { shopId, skuId } }) => {
  const found = await readStock(ctx.deps.readPool, shopId, skuId);
  if (!found) throw new Refused(refuse('UNKNOWN_SKU', `shop ${shopId} has no stock of ${skuId}`, { field: 'skuId' }));
  return found;
});
