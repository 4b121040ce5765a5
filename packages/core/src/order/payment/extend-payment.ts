/**
 * P40: an unpaid order gets more time, once, while it still has some. `pay_until` moves, with its copies and the
 * provider's link. The units are made sure of first (P26), so that nobody is promised time for units that are gone.
 */
import { type Failure, refuse } from '../../domain/index.ts';
import type { Tx } from '../../platform/index.ts';
import { changeTrades, orBusy } from '../trade/change-trades.ts';
import { type LockedTrade, lockTrade } from '../trade/lock-trade.ts';
import { judgeStored } from './judge-stored.ts';
import { openAtProvider, type ProviderDeps } from './open-at-provider.ts';
import type { OpenIntent } from './provider.ts';
import { closeIfShort } from './record-before-payment.ts';
import { refuseUnlessPayable } from './start-payment.ts';

export interface ExtendPaymentDeps extends ProviderDeps {
  readonly extensionSeconds: number;
}

export interface PaymentExtended {
  readonly kind: 'extended';
  readonly tradeId: string;
  /** ISO 8601. */
  readonly payUntil: string;
}

export async function extendPayment(
  deps: ExtendPaymentDeps,
  command: { readonly tradeId: string; readonly buyerId: string },
): Promise<PaymentExtended | Failure> {
  const extended = await orBusy(() => changeTrades(deps, (tx) => extend(tx, command, deps.extensionSeconds)));
  if (extended.kind === 'refused') return extended;
  // An intent that was never opened gets its deadline when it is. A provider that is away is told at the next start.
  if (extended.intent.providerRef !== null) await openAtProvider(deps, extended.intent);
  return { kind: 'extended', tradeId: command.tradeId, payUntil: extended.intent.payUntil };
}

async function extend(
  tx: Tx,
  command: { readonly tradeId: string; readonly buyerId: string },
  seconds: number,
): Promise<{ readonly kind: 'extended'; readonly intent: OpenIntent } | Failure> {
  const locked = await lockTrade(tx, command.tradeId);
  if (!locked || locked.buyerId !== command.buyerId) return refuse('NOT_FOUND', 'There is no such order.');
  const trade = await judgeStored(tx, locked);
  const refusal = refuseUnlessPayable(trade) ?? (await refuseIfUsed(tx, trade)) ?? (await closeIfShort(tx, trade));
  if (refusal) return refusal;
  return { kind: 'extended', intent: await moveDeadline(tx, trade, seconds) };
}

async function refuseIfUsed(tx: Tx, trade: LockedTrade): Promise<Failure | undefined> {
  const { rowCount } = await tx.query('SELECT 1 FROM tinystore_order.trade WHERE id = $1 AND extended_at IS NOT NULL', [
    trade.id,
  ]);
  return rowCount === 0
    ? undefined
    : refuse('EXTENSION_USED', 'The time to pay this order has been extended already.', { tradeId: trade.id });
}

async function moveDeadline(tx: Tx, trade: LockedTrade, seconds: number): Promise<OpenIntent> {
  const { rowCount } = await tx.query(
    `UPDATE tinystore_order.trade
     SET pay_until = pay_until + make_interval(secs => $2), extended_at = ops.clock_now(), version = version + 1
     WHERE id = $1 AND status = 'UNPAID' AND extended_at IS NULL AND pay_until >= ops.clock_now()`,
    [trade.id, seconds],
  );
  if (rowCount !== 1) throw new Error(`trade ${trade.id} was locked as payable and could not be extended`);
  await tx.query(
    `UPDATE tinystore_inventory.inventory_reservation r SET expire_at = t.pay_until
     FROM tinystore_order.trade t WHERE t.id = $1 AND r.trade_id = t.id AND r.status || '' = 'PRE_DEDUCTED'`,
    [trade.id],
  );
  const { rows } = await tx.query<Omit<OpenIntent, 'payUntil'> & { payUntil: Date }>(
    `UPDATE tinystore_order.payment_intent p SET expires_at = t.pay_until, updated_at = ops.clock_now()
     FROM tinystore_order.trade t WHERE t.id = $1 AND p.trade_id = t.id
     RETURNING p.id AS "intentId", p.attempt, p.amount_minor AS "amountMinor", p.currency, p.provider_ref AS "providerRef",
       t.pay_until AS "payUntil"`,
    [trade.id],
  );
  if (!rows[0]) throw new Error(`trade ${trade.id} has no payment intent`);
  return { ...rows[0], payUntil: rows[0].payUntil.toISOString() };
}
