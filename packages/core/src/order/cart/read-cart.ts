/** The current cart with today's names and prices; place-order judges prices again. */
import { type Minor, minorUnits, quantity } from '../../domain/index.ts';
import type { Prisma } from '../../platform/prisma/client.ts';
import { type CurrentCart, findCurrentCart } from './current-cart.ts';

export interface CartLineView {
  readonly shopId: string;
  readonly shopName: string;
  readonly skuId: string;
  readonly productId: string;
  readonly productName: string;
  readonly skuName: string;
  readonly art: string;
  readonly quantity: number;
  readonly unitPriceMinor: Minor;
  readonly currency: string;
  /** False when the shop has switched this SKU off: it can only be removed. */
  readonly active: boolean;
}

export interface CartView extends Pick<CurrentCart, 'openTrade'> {
  /** Null until something was put in. */
  readonly cartId: string | null;
  /** In the order they were first added. */
  readonly lines: readonly CartLineView[];
  readonly units: number;
  /** One total a currency, over the lines that can be bought; past MAX_MINOR it is shown, and refused as an order. */
  readonly totals: readonly { readonly currency: string; readonly totalMinor: number }[];
}

const EMPTY: CartView = { cartId: null, openTrade: null, lines: [], units: 0, totals: [] };

export async function readCart(prisma: Prisma.TransactionClient, buyerId: string): Promise<CartView> {
  const cart = await findCurrentCart(prisma, buyerId);
  if (!cart) return EMPTY;
  const rows = await prisma.cartLine.findMany({
    where: { cartId: cart.cartId },
    include: { sku: { include: { shop: true, product: true } } },
    orderBy: [{ addedAt: 'asc' }, { shopId: 'asc' }, { skuId: 'asc' }],
  });
  const lines = rows.map(({ shopId, skuId, quantity: units, sku }) => ({
    shopId,
    skuId,
    shopName: sku.shop.name,
    productId: sku.productId,
    productName: sku.product.name,
    skuName: sku.name,
    art: sku.product.art,
    quantity: quantity(units),
    unitPriceMinor: minorUnits(Number(sku.priceMinor)),
    currency: sku.shop.currency,
    active: sku.active,
  }));
  return { ...cart, lines, units: lines.reduce((units, line) => units + line.quantity, 0), totals: totalsOf(lines) };
}

function totalsOf(lines: readonly CartLineView[]): CartView['totals'] {
  const sold = Map.groupBy(
    lines.filter((line) => line.active),
    (line) => line.currency,
  );
  return [...sold].map(([currency, of]) => ({
    currency,
    totalMinor: of.reduce((total, line) => total + line.unitPriceMinor * line.quantity, 0),
  }));
}
