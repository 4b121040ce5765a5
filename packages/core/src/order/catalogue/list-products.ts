/** The shop's front: products that have something to sell. */
import type { PrismaClient } from '../../platform/prisma/client.ts';
import { type ProductView, productView, WITH_SHOP_AND_SKUS } from './product-view.ts';

/** More than a page shows; a larger assortment needs pages first. */
const MAX_PRODUCTS = 500;

export interface ShopCard {
  readonly shopId: string;
  readonly name: string;
  readonly currency: string;
}

export async function listProducts(prisma: PrismaClient, filter: { shopId?: string } = {}): Promise<ProductView[]> {
  const rows = await prisma.product.findMany({
    where: { ...(filter.shopId !== undefined && { shopId: filter.shopId }), skus: { some: { active: true } } },
    include: WITH_SHOP_AND_SKUS,
    orderBy: [{ position: 'asc' }, { id: 'asc' }],
    take: MAX_PRODUCTS,
  });
  return rows.map(productView);
}

export async function listShops(prisma: PrismaClient): Promise<ShopCard[]> {
  const rows = await prisma.shop.findMany({ orderBy: { createdAt: 'asc' }, take: MAX_PRODUCTS });
  return rows.map(({ id, name, currency }) => ({ shopId: id, name, currency }));
}
