import { listProducts, listShops } from '@holdfast/core/order';
import { openProcedure } from '../init.ts';
import { listInput } from './list.schema.ts';

/** Shelves: each shop with its products, in the catalogue's order; shops without products are left out. */
export const list = openProcedure.input(listInput).query(async ({ ctx, input }) => {
  const [shops, products] = await Promise.all([
    listShops(ctx.deps.prisma),
    listProducts(ctx.deps.prisma, input.shopId ? { shopId: input.shopId } : {}),
  ]);
  return shops
    .map((shop) => ({ ...shop, products: products.filter((product) => product.shopId === shop.shopId) }))
    .filter((shop) => shop.products.length > 0);
});
