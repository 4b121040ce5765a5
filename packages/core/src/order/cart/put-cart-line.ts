/**
 * Puts units of one SKU into the current cart, adding to or replacing what is there. The buyer's row is locked
 * first and the sum is made by the database, so two tabs that each add 3 end at 6 (C04).
 */
import {
  type Failure,
  InvalidValue,
  MAX_LINES_AN_ORDER,
  MAX_UNITS_A_LINE,
  quantity,
  refuse,
  skuId,
} from '../../domain/index.ts';
import type { Prisma, PrismaClient } from '../../platform/prisma/client.ts';
import { haveCurrentCart } from './current-cart.ts';
import { ensureBuyer } from './ensure-buyer.ts';

export interface PutCartLine {
  readonly buyerId: string;
  readonly shopId: string;
  readonly skuId: string;
  readonly quantity: number;
  readonly mode: 'add' | 'set';
}

/** @returns the line's new quantity, or INVALID_INPUT, UNKNOWN_SKU, LIMIT_EXCEEDED with nothing changed */
export async function putCartLine(
  prisma: PrismaClient,
  wish: PutCartLine,
): Promise<{ kind: 'put'; cartId: string; quantity: number } | Failure> {
  const wrong = checkWish(wish);
  if (wrong) return wrong;
  return prisma.$transaction(async (tx) => {
    if (!(await isForSale(tx, wish))) return unknownSku();
    await ensureBuyer(tx, wish.buyerId);
    await tx.$queryRaw`SELECT 1 FROM tinystore_order.buyer WHERE id = ${wish.buyerId}::uuid FOR UPDATE`;
    const cartId = await haveCurrentCart(tx, wish.buyerId);
    const units = await upsertLine(tx, cartId, wish);
    return units === undefined ? tellWhy(tx, cartId, wish) : { kind: 'put' as const, cartId, quantity: units };
  });
}

function checkWish(wish: PutCartLine): Failure | undefined {
  try {
    quantity(wish.quantity);
  } catch (error) {
    if (error instanceof InvalidValue) return refuse('INVALID_INPUT', error.message, { field: 'quantity' });
    throw error;
  }
  return isCode(wish.shopId) && isCode(wish.skuId) ? undefined : unknownSku();
}

function isCode(text: string): boolean {
  try {
    return skuId(text) === text;
  } catch (error) {
    if (error instanceof InvalidValue) return false;
    throw error;
  }
}

async function upsertLine(
  tx: Prisma.TransactionClient,
  cartId: string,
  wish: PutCartLine,
): Promise<number | undefined> {
  const [line] = await tx.$queryRaw<{ quantity: number }[]>`
    INSERT INTO tinystore_order.cart_line AS l (cart_id, shop_id, sku_id, quantity)
    SELECT ${cartId}::uuid, s.shop_id, s.id, ${wish.quantity}::integer
    FROM tinystore_order.sku s
    WHERE s.shop_id = ${wish.shopId} AND s.id = ${wish.skuId} AND s.active
      AND (SELECT count(*) FROM tinystore_order.cart_line o
           WHERE o.cart_id = ${cartId}::uuid AND (o.shop_id, o.sku_id) <> (s.shop_id, s.id)) < ${MAX_LINES_AN_ORDER}
    ON CONFLICT (cart_id, shop_id, sku_id) DO UPDATE
      SET quantity = CASE ${wish.mode} WHEN 'add' THEN l.quantity ELSE 0 END + excluded.quantity
      WHERE CASE ${wish.mode} WHEN 'add' THEN l.quantity ELSE 0 END + excluded.quantity <= ${MAX_UNITS_A_LINE}
    RETURNING l.quantity`;
  return line?.quantity;
}

async function isForSale(tx: Prisma.TransactionClient, { shopId, skuId: id }: PutCartLine): Promise<boolean> {
  const sku = await tx.sku.findUnique({ where: { shopId_id: { shopId, id } } });
  return sku?.active === true;
}

async function tellWhy(tx: Prisma.TransactionClient, cartId: string, wish: PutCartLine): Promise<Failure> {
  if (!(await isForSale(tx, wish))) return unknownSku();
  const { shopId, skuId: id } = wish;
  const line = await tx.cartLine.findUnique({ where: { cartId_shopId_skuId: { cartId, shopId, skuId: id } } });
  if (!line)
    return refuse('LIMIT_EXCEEDED', `A cart has room for ${MAX_LINES_AN_ORDER} different items.`, { field: 'lines' });
  return refuse('LIMIT_EXCEEDED', `At most ${MAX_UNITS_A_LINE} of one item; ${line.quantity} are in the cart.`, {
    field: 'quantity',
  });
}

function unknownSku(): Failure {
  return refuse('UNKNOWN_SKU', 'This item is not for sale.', { field: 'skuId' });
}
