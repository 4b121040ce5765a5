/**
 * Job payment.late-money (P28, P30): every payment that its order could not take is brought to an end, revived or
 * refunded. Each step stores what was decided before it is acted on, and nothing waits for the gate inside a
 * transaction; a worker that dies in between leaves intended ids, which the next attempt ends first.
 */
import type { Gate } from '../../../gate/index.ts';
import { classifyDatabaseError, type Tx } from '../../../platform/index.ts';
import { changeTrades, type TradeDeps } from '../../trade/change-trades.ts';
import { type LockedTrade, lockTrade } from '../../trade/lock-trade.ts';
import { decideLate } from './decide-late.ts';
import { followRefund, giveBackMoney } from './give-back-money.ts';
import { type IntendedLine, intendHolds } from './intend-holds.ts';
import type { LatePayment } from './late-payment.ts';
import { type ClaimedPayment, claimDue, lockLatePayment, lookAgainSoon } from './late-rows.ts';
import { lookAtTrade } from './look-at-trade.ts';
import { type Revive, type ReviveOutcome, reviveTrade } from './revive-trade.ts';
import { takeIntended } from './take-intended.ts';

/** Where a test build may stop the process. */
export type LateMoneyStop = 'late-money.intended' | 'late-money.taken';

export interface LateMoneyDeps extends TradeDeps {
  readonly gate: Gate;
  readonly stopAt?: (point: LateMoneyStop) => Promise<void>;
}

export interface LateMoneySummary {
  readonly scanned: number;
  readonly revived: number;
  readonly refunded: number;
  readonly failed: number;
}

const PAGE = 20;

export async function settleLateMoney(
  deps: LateMoneyDeps,
  { limit, budgetMs = 40_000 }: { readonly limit: number; readonly budgetMs?: number },
): Promise<LateMoneySummary> {
  const until = performance.now() + budgetMs;
  const sum = { scanned: 0, revived: 0, refunded: 0, failed: 0 };
  while (sum.scanned < limit && performance.now() < until) {
    const page = await claimDue(deps.pool, Math.min(PAGE, limit - sum.scanned));
    if (page.length === 0) break;
    sum.scanned += page.length;
    for (const payment of page)
      try {
        const outcome = await settleOne(deps, payment);
        if (outcome !== 'waiting') sum[outcome] += 1;
      } catch (error) {
        if (classifyDatabaseError(error) === 'outage') throw error;
        deps.log.error({ error, eventId: payment.eventId }, 'late money could not be dealt with yet');
        sum.failed += 1;
      }
  }
  return sum;
}

type Outcome = 'revived' | 'refunded' | 'waiting';

async function settleOne(deps: LateMoneyDeps, claimed: ClaimedPayment): Promise<Outcome> {
  const decided = await changeTrades(deps, (tx) => decide(tx, claimed));
  if (typeof decided === 'string') return decided;
  await deps.stopAt?.('late-money.intended');
  const taken = await takeIntended(deps.gate, decided.lines);
  await deps.stopAt?.('late-money.taken');
  const outcome: ReviveOutcome =
    taken.kind === 'taken' ? await changeTrades(deps, (tx) => reviveTrade(tx, decided, taken)) : taken.kind;
  if (outcome === 'revived') return 'revived';
  if (outcome === 'sold-out' || outcome === 'coupon-gone')
    await changeTrades(deps, (tx) => giveUp(tx, decided, WHY[outcome]));
  else await lookAgainSoon(deps.pool, claimed.eventId);
  return 'waiting';
}

/** Decides under the trade's lock. A revive is answered with the ids that it may use; all else is done already. */
async function decide(tx: Tx, { eventId, tradeId }: ClaimedPayment): Promise<Revive | Outcome> {
  const trade = tradeId === null ? undefined : await lockTrade(tx, tradeId);
  const payment = await lockLatePayment(tx, eventId);
  const state = trade ? await lookAtTrade(tx, trade.id, eventId) : { ready: false, otherRevives: false };
  const decision = decideLate({ ...payment, trade: trade ?? null, ...state });
  switch (decision.kind) {
    case 'ended':
      return 'waiting';
    case 'follow-refund':
      return (await followRefund(tx, payment, trade)) ? 'refunded' : 'waiting';
    case 'refund':
      await giveBackMoney(tx, payment, trade, decision.reason);
      return 'waiting';
    case 'wait':
      await lookAgainSoon(tx, eventId);
      return 'waiting';
    case 'revive':
      if (!trade) throw new Error(`payment ${eventId} has no order to revive`);
      return intend(tx, payment, trade);
  }
}

async function intend(tx: Tx, { eventId, attempts }: LatePayment, trade: LockedTrade): Promise<Revive> {
  const attempt = attempts + 1;
  const lines: readonly IntendedLine[] = await intendHolds(tx, trade.id);
  await tx.query(
    `UPDATE tinystore_order.late_payment SET status = 'REVIVING', attempts = $2
     WHERE event_id = $1 AND status IN ('OPEN', 'REVIVING')`,
    [eventId, attempt],
  );
  return { eventId, tradeId: trade.id, buyerId: trade.buyerId, attempt, lines };
}

const WHY = {
  'sold-out': 'the items had been sold to somebody else',
  'coupon-gone': 'the coupon of the order had been used by somebody else',
} as const;

/** The units or the coupon are gone: the money goes back, unless another attempt has begun or ended meanwhile. */
async function giveUp(tx: Tx, { eventId, tradeId, attempt }: Revive, reason: string): Promise<void> {
  const trade = await lockTrade(tx, tradeId);
  const payment = await lockLatePayment(tx, eventId);
  if (payment.status !== 'REVIVING' || payment.attempts !== attempt) return;
  await giveBackMoney(tx, payment, trade, reason);
}
