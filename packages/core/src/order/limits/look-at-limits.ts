/**
 * P23: would the commit refuse this order for its buyer's limits? A hint, read before anything is taken: the commit still
 * decides, under the buyer's lock. An open order of the same cart is left to it: the answer names that order.
 */
import type { Failure } from '../../domain/index.ts';
import type { Sql } from '../../platform/index.ts';
import type { OrderAttempt, PreparedOrder } from '../build-order.ts';
import { linesOf } from '../build-order.ts';
import { refuseCommit, tooManyOpen } from '../refuse-commit.ts';

interface Limits {
  readonly cartIsOpen: boolean;
  readonly tooManyOpen: boolean;
  /** As the commit says it; null when there is nothing to refuse. */
  readonly over: unknown;
}

const LOOK = `
  SELECT EXISTS (SELECT FROM tinystore_order.trade c
                 WHERE c.buyer_id = $1 AND c.cart_id = $2::uuid AND c.status || '' = 'UNPAID') AS "cartIsOpen",
    coalesce((SELECT b.open_orders >= $3 FROM tinystore_order.buyer_limit b WHERE b.buyer_id = $1), false) AS "tooManyOpen",
    (SELECT w.over_limit FROM tinystore_order.wants_of_orders(
       jsonb_build_array(jsonb_build_object('ord', 0, 'verdict', 'PLACED', 'buyer_id', $1::uuid)), $4::jsonb) w) AS over`;

export async function lookAtLimits(
  sql: Sql,
  order: PreparedOrder,
  attempt: OrderAttempt,
  { openOrdersLimit }: { readonly openOrdersLimit: number },
): Promise<Failure | undefined> {
  const limited = linesOf(attempt).filter((line) => line.buyerLimited);
  const lines = limited.map((line) => {
    return { ord: 0, shop_id: line.shopId, sku_id: line.skuId, quantity: line.quantity, gate_mode: line.gateMode };
  });
  const { buyerId, input } = order;
  const { rows } = await sql.query<Limits>(LOOK, [
    buyerId,
    input.cartId ?? null,
    openOrdersLimit,
    JSON.stringify(lines),
  ]);
  const [found] = rows;
  if (!found || found.cartIsOpen) return undefined;
  if (found.tooManyOpen) return tooManyOpen(openOrdersLimit);
  return found.over === null ? undefined : refuseCommit('BUYER_LIMIT', found.over, attempt);
}
