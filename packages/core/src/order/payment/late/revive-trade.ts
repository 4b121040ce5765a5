/**
 * The end of a revive (P28): one transaction behind the same fence as an order commit (P11). The shared lock is a
 * statement of its own; the epoch, the generations and the abandonments are judged by a later one. Then the rows are
 * written by the RESERVE function, CLOSED -> PAID_PENDING, and each shop order asks for its new units to be confirmed.
 */
import { SHOP_ORDER, sourcesOf } from '../../../domain/index.ts';
import { findShort, recordReservations } from '../../../ledger/index.ts';
import type { Tx } from '../../../platform/index.ts';
import { retakeCoupon } from '../../promotion/retake-coupon.ts';
import { type LockedTrade, lockShopOrders, lockTrade } from '../../trade/lock-trade.ts';
import { lockBuyer, raiseBuyerLimit } from '../../trade/raise-buyer-limit.ts';
import { byShopOrder, reservedLine } from '../../trade/read-holds.ts';
import { askForConfirm } from '../mark-paid.ts';
import type { IntendedLine } from './intend-holds.ts';
import { endLatePayment, lockLatePayment } from './late-rows.ts';
import { passesFence } from './revive-fence.ts';
import type { TakenUnits } from './take-intended.ts';

export interface Revive {
  readonly eventId: string;
  readonly tradeId: string;
  readonly buyerId: string;
  /** Which attempt of this payment it is; a later one has other ids. */
  readonly attempt: number;
  readonly lines: readonly IntendedLine[];
}

export type ReviveOutcome = 'revived' | 'sold-out' | 'coupon-gone' | 'again';

/** Anything but `revived` has written nothing. */
export async function reviveTrade(
  tx: Tx,
  revive: Revive,
  taken: Extract<TakenUnits, { kind: 'taken' }>,
): Promise<ReviveOutcome> {
  const { tradeId, eventId, lines } = revive;
  await tx.query('SELECT pg_advisory_xact_lock_shared(ops.gate_lock_key())');
  await lockBuyer(tx, revive.buyerId);
  const trade = await lockTrade(tx, tradeId);
  await lockShopOrders(tx, [tradeId]);
  const payment = await lockLatePayment(tx, eventId);
  if (payment.status !== 'REVIVING' || payment.attempts !== revive.attempt || trade?.status !== 'CLOSED')
    return 'again';
  if (!(await passesFence(tx, lines, taken))) return 'again';
  if ((await findShort(tx, lines)).length > 0) return 'sold-out';
  if (!(await retakeCoupon(tx, tradeId))) return 'coupon-gone';
  await makeCurrent(tx, tradeId, lines, taken);
  await record(tx, trade, lines);
  await reopen(tx, trade, eventId);
  await askForConfirm(tx, tradeId);
  await raiseBuyerLimit(tx, { buyerId: trade.buyerId, tradeId });
  await endLatePayment(tx, payment, 'REVIVED');
  return 'revived';
}

async function makeCurrent(
  tx: Tx,
  tradeId: string,
  lines: readonly IntendedLine[],
  { epoch, generations }: Extract<TakenUnits, { kind: 'taken' }>,
): Promise<void> {
  await tx.query(
    `UPDATE tinystore_order.order_line_hold SET state = 'PAST' WHERE trade_id = $1 AND state = 'CURRENT'`,
    [tradeId],
  );
  const { rowCount } = await tx.query(
    `UPDATE tinystore_order.order_line_hold h
     SET state = 'CURRENT', generation = n.generation, epoch = CASE h.gate_mode WHEN 'REDIS' THEN $3::bigint END
     FROM unnest($1::uuid[], $2::bigint[]) AS n(id, generation)
     WHERE h.reservation_id = n.id AND h.state = 'INTENDED'`,
    [lines.map((line) => line.reservationId), lines.map((line) => generations.get(line.reservationId) ?? null), epoch],
  );
  if (rowCount !== lines.length)
    throw new Error(`${rowCount ?? 0} of ${lines.length} intended ids of ${tradeId} found`);
}

async function record(tx: Tx, trade: LockedTrade, lines: readonly IntendedLine[]): Promise<void> {
  const outcomes = await recordReservations(
    tx,
    [...byShopOrder(lines)].map(([shopOrderId, own]) => ({
      tradeId: trade.id,
      shopOrderId,
      lines: own.map(reservedLine),
      payUntil: trade.payUntil,
      traceId: trade.id,
    })),
  );
  // The stock rows are locked and had room.
  if (outcomes.some(({ outcome }) => outcome !== 'reserved'))
    throw new Error(`trade ${trade.id} could not be recorded anew`);
}

async function reopen(tx: Tx, trade: LockedTrade, eventId: string): Promise<void> {
  const { rowCount } = await tx.query(
    `UPDATE tinystore_order.trade t
     SET status = 'PAID_PENDING', close_reason = NULL, closed_at = NULL, paid_at = e.received_at, version = t.version + 1
     FROM tinystore_order.payment_event e WHERE t.id = $1 AND t.status = 'CLOSED' AND e.event_id = $2`,
    [trade.id, eventId],
  );
  if (rowCount !== 1) throw new Error(`trade ${trade.id} was locked as CLOSED and could not be revived`);
  await tx.query(
    `UPDATE tinystore_order.shop_order SET status = 'CONFIRMING', version = version + 1
     WHERE trade_id = $1 AND status = ANY($2::text[])`,
    [trade.id, sourcesOf(SHOP_ORDER, 'CONFIRMING')],
  );
}
