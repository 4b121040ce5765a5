/**
 * A buyer's current cart: the newest one that no paid trade names. An unpaid or closed order leaves its cart
 * current, so that a buyer who gives up paying still has everything in it.
 */
import { mint } from '../../domain/index.ts';
import type { Prisma } from '../../platform/prisma/client.ts';

export interface CurrentCart {
  readonly cartId: string;
  /** The unpaid order made from this cart, if there is one; `expired` is judged by the database's clock (P24). */
  readonly openTrade: { readonly tradeId: string; readonly payUntil: string; readonly expired: boolean } | null;
}

interface Row {
  cartId: string;
  tradeId: string | null;
  payUntil: Date | null;
  expired: boolean | null;
}

export async function findCurrentCart(prisma: Prisma.TransactionClient, buyerId: string): Promise<CurrentCart | null> {
  const [row] = await prisma.$queryRaw<Row[]>`
    SELECT c.id AS "cartId", t.id AS "tradeId", t.pay_until AS "payUntil", t.pay_until < ops.clock_now() AS expired
    FROM tinystore_order.cart c
    LEFT JOIN tinystore_order.trade t ON t.buyer_id = c.buyer_id AND t.cart_id = c.id AND t.status = 'UNPAID'
    WHERE c.buyer_id = ${buyerId}::uuid AND NOT EXISTS (
      SELECT 1 FROM tinystore_order.trade paid
      WHERE paid.buyer_id = c.buyer_id AND paid.cart_id = c.id AND paid.status NOT IN ('UNPAID', 'CLOSED'))
    ORDER BY c.created_at DESC, c.id DESC LIMIT 1`;
  if (!row) return null;
  const { cartId, tradeId, payUntil, expired } = row;
  return {
    cartId,
    openTrade: tradeId && payUntil ? { tradeId, payUntil: payUntil.toISOString(), expired: expired === true } : null,
  };
}

/** Call with the buyer's row locked, else two tabs make two carts. */
export async function haveCurrentCart(tx: Prisma.TransactionClient, buyerId: string): Promise<string> {
  const current = await findCurrentCart(tx, buyerId);
  if (current) return current.cartId;
  const cart = await tx.cart.create({ data: { id: mint<'CartId'>(), buyerId } });
  return cart.id;
}
