/**
 * An operator gives money back and says what becomes of the units: of single lines, of one shop order, or of all that
 * is left (P29, P31). Repeatable with its key. The state of the order follows when the money is back
 * (settle-refund.ts); what is asked for here counts against the line at once, so nothing can be refunded twice.
 */
import { z } from 'zod';
import { type Failure, isRefused, refuse } from '../../domain/index.ts';
import { appendAudit } from '../../ops/index.ts';
import type { Tx } from '../../platform/index.ts';
import { refuseMove, TRADE_MOVES } from '../moves.ts';
import { changeTrades, orBusy, type TradeDeps } from '../trade/change-trades.ts';
import { lockTrade } from '../trade/lock-trade.ts';
import { decideLines, decideRest, type LineState, type LineWish, type RestWish } from './decide-refund.ts';
import { lockLines } from './lock-lines.ts';
import { onceByKey } from './once-by-key.ts';
import { type TakenBack, takeBack } from './take-back.ts';

export type RefundWish =
  | { readonly kind: 'lines'; readonly lines: readonly LineWish[] }
  | ({ readonly kind: 'rest' } & RestWish);

export interface RefundOrder {
  readonly tradeId: string;
  readonly wish: RefundWish;
  readonly idempotencyKey: string;
  readonly by: { readonly name: string; readonly reason: string };
}

export const takenBack: z.ZodType<TakenBack> = z.object({
  kind: z.literal('refunded'),
  refunds: z.array(z.object({ refundId: z.string(), shopOrderId: z.string(), amountMinor: z.number() })),
  returned: z.array(
    z.object({ returnItemId: z.string(), shopOrderId: z.string(), skuId: z.string(), quantity: z.number() }),
  ),
});

export async function refundOrder(deps: TradeDeps, command: RefundOrder): Promise<TakenBack | Failure> {
  const { tradeId, wish, idempotencyKey, by } = command;
  if (by.reason.trim() === '') return refuse('INVALID_INPUT', 'Say why money is given back.', { field: 'reason' });
  return orBusy(() =>
    changeTrades(deps, async (tx) => {
      const trade = await lockTrade(tx, tradeId);
      if (!trade) return refuse('NOT_FOUND', 'There is no such order.');
      return onceByKey(
        tx,
        { tradeId, idempotencyKey, actor: by.name, wish },
        takenBack,
        async () => refuseMove(TRADE_MOVES[trade.status].refund, tradeId) ?? refund(tx, command),
      );
    }),
  );
}

async function refund(tx: Tx, { tradeId, wish, idempotencyKey, by }: RefundOrder): Promise<TakenBack | Failure> {
  const lines = await lockLines(tx, tradeId);
  const decision = wish.kind === 'lines' ? decideLines(lines, wish.lines) : decideRest(lines, wish);
  if (isRefused(decision)) return { ...decision, tradeId };
  const taken = await takeBack(tx, {
    tradeId,
    parts: decision.parts,
    actor: by.name,
    reason: by.reason,
    key: `refund:${tradeId}:${idempotencyKey}`,
  });
  if (!isRefused(taken))
    await appendAudit(tx, {
      actor: by.name,
      action: 'order.refund',
      target: tradeId,
      reason: by.reason,
      before: decision.parts.map(({ line }) => figures(line)),
      after: taken,
    });
  return taken;
}

function figures({ shopOrderId, skuId, sold, returned, paidMinor, refundedMinor }: LineState) {
  return { shopOrderId, skuId, sold, returned, paidMinor, refundedMinor };
}
