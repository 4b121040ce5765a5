/** Writes shops, products and SKUs of the demo; a second call brings names, texts and prices back to the file's. */
import type { PrismaClient } from '../../packages/core/src/platform/prisma/client.ts';
import { type SeedProduct, SHOPS } from './catalogue.ts';

const DAY_SECONDS = 86_400;

export async function seedCatalogue(prisma: PrismaClient): Promise<void> {
  let position = 0;
  for (const { id, name, products } of SHOPS) {
    await prisma.shop.upsert({ where: { id }, create: { id, name, currency: 'EUR' }, update: { name } });
    for (const product of products) await seedProduct(prisma, id, product, position++);
  }
}

async function seedProduct(
  prisma: PrismaClient,
  shopId: string,
  product: SeedProduct,
  position: number,
): Promise<void> {
  const { skus, id, ...texts } = product;
  await prisma.product.upsert({
    where: { id },
    create: { id, shopId, position, ...texts },
    update: { position, ...texts },
  });
  for (const [at, sku] of skus.entries()) {
    const values = {
      name: sku.name,
      priceMinor: BigInt(sku.priceMinor),
      position: at,
      orderLimit: sku.limits?.order ?? null,
      buyerLimit: sku.limits?.buyer ?? null,
      buyerWindowSeconds: sku.limits ? DAY_SECONDS : null,
    };
    await prisma.sku.upsert({
      where: { shopId_id: { shopId, id: sku.id } },
      create: { shopId, id: sku.id, productId: id, ...values },
      update: values,
    });
  }
}
