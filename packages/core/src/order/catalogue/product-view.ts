/** A product as a page shows it: plain values, prices in minor units. */
import { type Minor, minorUnits } from '../../domain/index.ts';
import type { Prisma } from '../../platform/prisma/client.ts';

export interface SkuView {
  readonly skuId: string;
  /** What sets it apart from the product's other SKUs: size or colour; empty for a single one. */
  readonly name: string;
  readonly priceMinor: Minor;
  /** Most units in one order, and for one buyer within the SKU's window (P23); null: no such limit. */
  readonly orderLimit: number | null;
  readonly buyerLimit: number | null;
  readonly buyerWindowSeconds: number | null;
}

export interface ProductView {
  readonly productId: string;
  readonly shopId: string;
  readonly shopName: string;
  readonly currency: string;
  readonly name: string;
  readonly description: string;
  /** Name of a drawing the shop knows. */
  readonly art: string;
  /** In the shop's order; SKUs that are switched off are left out. */
  readonly skus: readonly SkuView[];
}

export const WITH_SHOP_AND_SKUS = {
  shop: true,
  skus: { where: { active: true }, orderBy: [{ position: 'asc' }, { id: 'asc' }] },
} as const satisfies Prisma.ProductInclude;

type Row = Prisma.ProductGetPayload<{ include: typeof WITH_SHOP_AND_SKUS }>;

export function productView(row: Row): ProductView {
  const { id: productId, shopId, shop, name, description, art } = row;
  const skus = row.skus.map((sku) => ({
    skuId: sku.id,
    name: sku.name,
    priceMinor: minorUnits(Number(sku.priceMinor)),
    orderLimit: sku.orderLimit,
    buyerLimit: sku.buyerLimit,
    buyerWindowSeconds: sku.buyerWindowSeconds,
  }));
  return { productId, shopId, shopName: shop.name, currency: shop.currency, name, description, art, skus };
}
