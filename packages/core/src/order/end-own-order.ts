/**
 * A cart's open order whose time is over must not stand in the way of its own buyer until the next job runs (C21):
 * it is ended here by the one end by time (P25), and its units are waited for, so that the buyer's new order is not
 * told "sold out" because of the buyer's own old hold.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Failure, refuse } from '../domain/index.ts';
import { endTradeByTime } from './end-by-time.ts';
import type { TradeDeps } from './trade/change-trades.ts';

const GIVE_BACK_LIMIT_MS = 2000;
const LOOK_MS = 25;

/** Sold out, perhaps by the buyer's own open order of this cart: then that order is the answer, not "sold out". */
export async function ownOrderOrSoldOut(
  deps: TradeDeps,
  order: { readonly buyerId: string; readonly cartId: string | undefined },
  soldOut: Failure,
): Promise<Failure | { readonly kind: 'retry'; readonly reason: 'BUSY' }> {
  if (order.cartId === undefined) return soldOut;
  const { rows } = await deps.pool.query<{ id: string }>(
    `SELECT id FROM tinystore_order.trade WHERE buyer_id = $1 AND cart_id = $2 AND status = 'UNPAID'`,
    [order.buyerId, order.cartId],
  );
  return rows[0] ? openOrderOrRetry(deps, rows[0].id) : soldOut;
}

/** The refusal that leads to the open order, or a retry when that order has just been ended. */
export async function openOrderOrRetry(
  deps: TradeDeps,
  tradeId: string,
): Promise<Failure | { readonly kind: 'retry'; readonly reason: 'BUSY' }> {
  const ended = await endTradeByTime(deps, tradeId).catch((error: unknown) => {
    deps.log.debug({ error: String(error), tradeId }, 'an order past its time could not be ended yet');
    return false;
  });
  if (!ended) return refuse('OPEN_ORDER', 'This cart has an order that waits for payment.', { tradeId });
  const deadline = performance.now() + GIVE_BACK_LIMIT_MS;
  while ((await isComingBack(deps, tradeId)) && performance.now() < deadline) await sleep(LOOK_MS);
  return { kind: 'retry', reason: 'BUSY' };
}

async function isComingBack({ pool }: TradeDeps, tradeId: string): Promise<boolean> {
  const { rows } = await pool.query<{ coming: boolean }>(
    `SELECT EXISTS (
       SELECT 1 FROM tinystore_order.order_line_hold h
       LEFT JOIN tinystore_inventory.gate_effect e ON e.reservation_id = h.reservation_id AND e.kind = 'GIVE_BACK'
       WHERE h.trade_id = $1 AND coalesce(e.status, 'PENDING') = 'PENDING') AS coming`,
    [tradeId],
  );
  return rows[0]?.coming ?? false;
}
