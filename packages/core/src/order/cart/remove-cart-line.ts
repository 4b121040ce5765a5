/** Takes a line out of the current cart; one that is not there is as good as removed. */
import type { Prisma } from '../../platform/prisma/client.ts';
import { findCurrentCart } from './current-cart.ts';

export async function removeCartLine(
  prisma: Prisma.TransactionClient,
  line: { buyerId: string; shopId: string; skuId: string },
): Promise<{ kind: 'removed' }> {
  const cart = await findCurrentCart(prisma, line.buyerId);
  if (cart)
    await prisma.cartLine.deleteMany({ where: { cartId: cart.cartId, shopId: line.shopId, skuId: line.skuId } });
  return { kind: 'removed' };
}
