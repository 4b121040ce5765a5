/**
 * The buyer wants to pay: the trade's units are made sure of in the ledger first (P26), then the intent goes to
 * PROCESSING, and only then the provider is told of it and answers where to pay. Called again while it is
 * processing, it answers the same; after a failed attempt it begins the next one on the same order and the same hold.
 */
import { type Failure, refuse } from '../../domain/index.ts';
import type { Tx } from '../../platform/index.ts';
import { refuseWhilePending } from '../promotion/refuse-while-pending.ts';
import { changeTrades, orBusy, type TradeDeps } from '../trade/change-trades.ts';
import { type LockedTrade, lockTrade } from '../trade/lock-trade.ts';
import { judgeStored } from './judge-stored.ts';
import { openAtProvider } from './open-at-provider.ts';
import type { OpenIntent, PaymentProvider } from './provider.ts';
import { closeIfShort } from './record-before-payment.ts';

export interface StartPaymentDeps extends TradeDeps {
  readonly provider: PaymentProvider;
}

export interface PaymentStarted {
  readonly kind: 'started';
  readonly intentId: string;
  readonly attempt: number;
  readonly amountMinor: number;
  readonly currency: string;
  readonly payUntil: string;
  readonly payUrl: string;
}

export async function startPayment(
  deps: StartPaymentDeps,
  command: { readonly tradeId: string; readonly buyerId: string },
): Promise<PaymentStarted | Failure> {
  const begun = await orBusy(() => changeTrades(deps, (tx) => begin(tx, command)));
  if (begun.kind === 'refused') return begun;
  const opened = await openAtProvider(deps, begun);
  if (opened.kind === 'refused') return opened;
  const { intentId, attempt, amountMinor, currency, payUntil } = begun;
  return { kind: 'started', intentId, attempt, amountMinor, currency, payUntil, payUrl: opened.payUrl };
}

type Begun = OpenIntent & { readonly kind: 'begun' };

async function begin(
  tx: Tx,
  command: { readonly tradeId: string; readonly buyerId: string },
): Promise<Begun | Failure> {
  const locked = await lockTrade(tx, command.tradeId);
  if (!locked || locked.buyerId !== command.buyerId) return refuse('NOT_FOUND', 'There is no such order.');
  const trade = await judgeStored(tx, locked);
  const refusal = refuseUnlessPayable(trade) ?? (await refuseWhilePending(tx, trade.id));
  if (refusal) return refusal;
  const short = await closeIfShort(tx, trade);
  if (short) return short;
  return { kind: 'begun', ...(await beginAttempt(tx, trade)), payUntil: new Date(trade.payUntil).toISOString() };
}

/** Only an UNPAID trade before `pay_until` can be paid or extended. */
export function refuseUnlessPayable(trade: LockedTrade): Failure | undefined {
  const more = { tradeId: trade.id };
  if (trade.status === 'UNPAID')
    return trade.pastDue ? refuse('PAYMENT_EXPIRED', 'The time to pay this order is over.', more) : undefined;
  if (trade.status !== 'CLOSED') return refuse('ALREADY_PAID', 'This order is paid already.', more);
  return trade.closeReason === 'TIMED_OUT'
    ? refuse('PAYMENT_EXPIRED', 'The time to pay this order is over.', more)
    : refuse('ALREADY_CLOSED', 'This order is closed.', more);
}

async function beginAttempt(tx: Tx, trade: LockedTrade) {
  await tx.query(
    `UPDATE tinystore_order.payment_intent
     SET attempt = attempt + CASE status WHEN 'FAILED' THEN 1 ELSE 0 END, status = 'PROCESSING', updated_at = ops.clock_now()
     WHERE trade_id = $1 AND status IN ('CREATED', 'FAILED')`,
    [trade.id],
  );
  const {
    rows: [intent],
  } = await tx.query<Omit<OpenIntent, 'payUntil'> & { status: string }>(
    `SELECT id AS "intentId", attempt, amount_minor AS "amountMinor", currency, status, provider_ref AS "providerRef"
     FROM tinystore_order.payment_intent WHERE trade_id = $1`,
    [trade.id],
  );
  if (intent?.status !== 'PROCESSING')
    throw new Error(`UNPAID trade ${trade.id} has an intent in ${intent?.status ?? 'no state'}`);
  const { status: _, ...started } = intent;
  return started;
}
