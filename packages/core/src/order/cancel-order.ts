/**
 * Ends an unpaid order by the buyer's or an operator's wish, going by the state under the trade's lock (C25): money
 * that was received in time comes first, a deadline that has passed comes second, the wish comes last. A caller
 * whose own earlier call has closed the order gets success again (C02).
 */
import { type Failure, refuse } from '../domain/index.ts';
import { appendAudit } from '../ops/index.ts';
import type { Tx } from '../platform/index.ts';
import { refuseMove, TRADE_MOVES } from './moves.ts';
import { judgeStored } from './payment/judge-stored.ts';
import { changeTrades, orBusy, type TradeDeps } from './trade/change-trades.ts';
import { closeByTime } from './trade/close-by-time.ts';
import { closePaid } from './trade/close-paid.ts';
import { closeTrades } from './trade/close-trades.ts';
import { type LockedTrade, lockTrade } from './trade/lock-trade.ts';

export type Canceller =
  | { readonly kind: 'buyer'; readonly buyerId: string }
  | {
      readonly kind: 'operator';
      readonly name: string;
      readonly reason: string;
      /** Of an order whose money has come while the ledger has not confirmed it: refused unless asked for. */
      readonly ifPaid?: 'refuse' | 'close-and-refund';
    };

const AUDIT_ACTION = 'order.cancel';

export async function cancelOrder(
  deps: TradeDeps,
  command: { readonly tradeId: string; readonly by: Canceller },
): Promise<{ kind: 'closed' } | Failure> {
  const { tradeId, by } = command;
  if (by.kind === 'operator' && by.reason.trim() === '')
    return refuse('INVALID_INPUT', 'Say why the order is cancelled.', { field: 'reason' });
  return orBusy(() =>
    changeTrades(deps, async (tx) => {
      const locked = await lockTrade(tx, tradeId);
      if (!locked || (by.kind === 'buyer' && locked.buyerId !== by.buyerId))
        return refuse('NOT_FOUND', 'There is no such order.');
      return cancelLocked(tx, locked.status === 'UNPAID' ? await judgeStored(tx, locked) : locked, by);
    }),
  );
}

async function cancelLocked(tx: Tx, trade: LockedTrade, by: Canceller): Promise<{ kind: 'closed' } | Failure> {
  const move = by.kind === 'operator' && by.ifPaid === 'close-and-refund' ? 'closeAndRefund' : 'cancel';
  const ended = trade.status === 'UNPAID' && trade.pastDue;
  const refusal = refuseMove(TRADE_MOVES[ended ? 'EXPIRED' : trade.status][move], trade.id);
  if (ended) await closeByTime(tx, [trade]);
  if (trade.status === 'CLOSED' && (await wasClosedBy(tx, trade, by))) return { kind: 'closed' };
  if (refusal) return refusal;
  if (trade.status === 'UNPAID')
    await closeTrades(tx, [trade], by.kind === 'buyer' ? 'BUYER_CANCELLED' : 'OPERATOR_CANCELLED');
  else if (by.kind === 'buyer' || !(await closePaid(tx, trade, by)))
    return refuse('ALREADY_PAID', 'This order is paid; refund it instead.', { tradeId: trade.id });
  if (by.kind === 'operator') await noteInAudit(tx, trade, by);
  return { kind: 'closed' };
}

async function noteInAudit(tx: Tx, trade: LockedTrade, by: Extract<Canceller, { kind: 'operator' }>): Promise<void> {
  await appendAudit(tx, {
    actor: by.name,
    action: AUDIT_ACTION,
    target: trade.id,
    reason: by.reason,
    before: { status: trade.status },
    after: { status: 'CLOSED', closeReason: 'OPERATOR_CANCELLED' },
  });
}

async function wasClosedBy(tx: Tx, trade: LockedTrade, by: Canceller): Promise<boolean> {
  if (by.kind === 'buyer') return trade.closeReason === 'BUYER_CANCELLED';
  if (trade.closeReason !== 'OPERATOR_CANCELLED') return false;
  const { rowCount } = await tx.query(
    'SELECT 1 FROM ops.audit_log WHERE target = $1 AND action = $2 AND actor = $3 LIMIT 1',
    [trade.id, AUDIT_ACTION, by.name],
  );
  return rowCount === 1;
}
