import { type CartView, readCart } from '@holdfast/core/order';
import { openProcedure } from '../init.ts';

const EMPTY: CartView = { cartId: null, openTrade: null, lines: [], units: 0, totals: [] };

/** A guest without a cookie has an empty cart and is not made a buyer by looking at it. */
export const read = openProcedure.query(({ ctx }): Promise<CartView> | CartView =>
  ctx.buyerId ? readCart(ctx.deps.prisma, ctx.buyerId) : EMPTY,
);
