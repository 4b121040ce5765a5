/** One product with its SKUs and prices; null when there is none of that id. */
import type { PrismaClient } from '../../platform/prisma/client.ts';
import { type ProductView, productView, WITH_SHOP_AND_SKUS } from './product-view.ts';

export async function readProduct(prisma: PrismaClient, productId: string): Promise<ProductView | null> {
  const row = await prisma.product.findUnique({ where: { id: productId }, include: WITH_SHOP_AND_SKUS });
  return row && productView(row);
}
