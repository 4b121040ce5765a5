/**
 * Locks trades and reads them again under the lock: payment, cancel and expiry all begin here (P24), so the one
 * that comes second sees what the first did. Sorted, because a batch locks each kind sorted (P12).
 */
import type { TradeStatus } from '../../domain/index.ts';
import type { Tx } from '../../platform/index.ts';

export interface LockedTrade {
  readonly id: string;
  readonly buyerId: string;
  readonly status: TradeStatus;
  readonly closeReason: CloseReason | null;
  /** ISO 8601 with the database's microseconds, fit for events. */
  readonly payUntil: string;
  /** The deadline has passed by the database's clock. */
  readonly pastDue: boolean;
}

export type CloseReason =
  | 'BUYER_CANCELLED'
  | 'OPERATOR_CANCELLED'
  | 'TIMED_OUT'
  | 'OVER_ADMITTED'
  | 'CONFIRM_CONFLICT'
  | 'PAYMENT_RETURNED'
  | 'PROMOTION_REJECTED'
  | 'PROMOTION_TIMED_OUT';

export const LOCKED_TRADE_COLUMNS = `t.id, t.buyer_id AS "buyerId", t.status, t.close_reason AS "closeReason",
  to_jsonb(t.pay_until) #>> '{}' AS "payUntil", t.pay_until < ops.clock_now() AS "pastDue"`;

/** Trades that do not exist are left out. */
export async function lockTrades(tx: Tx, tradeIds: readonly string[]): Promise<LockedTrade[]> {
  const { rows } = await tx.query<LockedTrade>(
    `SELECT ${LOCKED_TRADE_COLUMNS} FROM tinystore_order.trade t
     WHERE t.id = ANY($1::uuid[]) ORDER BY t.id FOR UPDATE`,
    [tradeIds],
  );
  return rows;
}

export async function lockTrade(tx: Tx, tradeId: string): Promise<LockedTrade | undefined> {
  return (await lockTrades(tx, [tradeId]))[0];
}

/** After the trades, before reservations and stock (P12). */
export async function lockShopOrders(tx: Tx, tradeIds: readonly string[]): Promise<void> {
  await tx.query('SELECT 1 FROM tinystore_order.shop_order WHERE trade_id = ANY($1::uuid[]) ORDER BY id FOR UPDATE', [
    tradeIds,
  ]);
}
