/**
 * A buyer wants to send units back: written down for an operator, who receives or refuses them (answer-return.ts).
 * Nothing moves yet; wishes and returns together never pass what was sold (P31).
 */
import { z } from 'zod';
import { type Failure, mint, refuse } from '../../domain/index.ts';
import type { Tx } from '../../platform/index.ts';
import { refuseMove, SHOP_ORDER_MOVES } from '../moves.ts';
import { changeTrades, orBusy, type TradeDeps } from '../trade/change-trades.ts';
import { lockTrade } from '../trade/lock-trade.ts';
import { lockLines } from './lock-lines.ts';
import { onceByKey } from './once-by-key.ts';

export interface RequestReturn {
  readonly tradeId: string;
  readonly buyerId: string;
  readonly shopOrderId: string;
  readonly skuId: string;
  readonly quantity: number;
  readonly reason: string;
  readonly idempotencyKey: string;
}
export interface ReturnRequested {
  readonly kind: 'requested';
  readonly returnItemId: string;
}
const requested: z.ZodType<ReturnRequested> = z.object({ kind: z.literal('requested'), returnItemId: z.string() });

export async function requestReturn(deps: TradeDeps, command: RequestReturn): Promise<ReturnRequested | Failure> {
  const { tradeId, buyerId, idempotencyKey, shopOrderId, skuId, quantity, reason } = command;
  if (reason.trim() === '') return refuse('INVALID_INPUT', 'Say why you send it back.', { field: 'reason' });
  return orBusy(() =>
    changeTrades(deps, async (tx) => {
      const trade = await lockTrade(tx, tradeId);
      if (!trade || trade.buyerId !== buyerId) return refuse('NOT_FOUND', 'There is no such order.');
      const wish = { shopOrderId, skuId, quantity };
      return onceByKey(tx, { tradeId, idempotencyKey, actor: 'buyer', wish }, requested, () => write(tx, command));
    }),
  );
}

async function write(tx: Tx, command: RequestReturn): Promise<ReturnRequested | Failure> {
  const { tradeId, shopOrderId, skuId, quantity, reason } = command;
  const line = (await lockLines(tx, tradeId)).find((l) => l.shopOrderId === shopOrderId && l.skuId === skuId);
  if (!line) return refuse('NOT_FOUND', `There is no ${skuId} in this order.`, { tradeId });
  const refusal = refuseMove(SHOP_ORDER_MOVES[line.shopOrderStatus].return, tradeId);
  if (refusal) return refusal;
  const left = line.sold - line.returned - (await countRequested(tx, shopOrderId, skuId));
  if (!Number.isSafeInteger(quantity) || quantity < 1)
    return refuse('INVALID_INPUT', 'Units are a whole number, 1 or more.', { field: 'quantity' });
  if (quantity > left)
    return refuse('REFUND_EXCEEDED', `Of ${skuId}, ${left} can still be sent back.`, { tradeId, field: 'quantity' });
  const returnItemId = mint<'ReturnItemId'>();
  await tx.query(
    `INSERT INTO tinystore_order.return_item (id, trade_id, shop_order_id, sku_id, quantity, reason, asked_by)
     VALUES ($1, $2, $3, $4, $5, $6, 'buyer')`,
    [returnItemId, tradeId, shopOrderId, skuId, quantity, reason],
  );
  return { kind: 'requested', returnItemId };
}

async function countRequested(tx: Tx, shopOrderId: string, skuId: string): Promise<number> {
  const { rows } = await tx.query<{ units: number }>(
    `SELECT coalesce(sum(quantity), 0)::bigint AS units FROM tinystore_order.return_item
     WHERE shop_order_id = $1 AND sku_id = $2 AND status = 'REQUESTED'`,
    [shopOrderId, skuId],
  );
  return rows[0]?.units ?? 0;
}
