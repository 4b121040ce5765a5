/**
 * What becomes of an order's coupon (design section 9): used for good when the order is paid, free again when it closes.
 * Done by the consumer of the trade's end, not in the trade's own transaction: a coupon is one row that many orders
 * share. With remote locks the same moves go out as events, and an answer that comes after the end is released (P40).
 */
import { type IncomingEvent, PROMOTION_LOCK, type PromotionLockStatus, sourcesOf } from '../../domain/index.ts';
import { append } from '../../outbox/index.ts';
import type { Tx } from '../../platform/index.ts';
import { judgeStored } from '../payment/judge-stored.ts';
import { closeTrades } from '../trade/close-trades.ts';
import { type LockedTrade, lockTrades } from '../trade/lock-trade.ts';

type Told = 'TRADE_PAID' | 'TRADE_CLOSED' | 'PROMOTION_LOCKED' | 'PROMOTION_REJECTED';
type ToldEvent = Extract<IncomingEvent, { type: Told }>;

interface Lock {
  readonly tradeId: string;
  readonly couponCode: string;
  readonly status: PromotionLockStatus;
  readonly remote: boolean;
}

/** In the order of the events; trades without a coupon are left alone, as are events of other types. */
export async function applyPromotionEvents(tx: Tx, events: readonly IncomingEvent[]): Promise<void> {
  const told = events.filter(isTold);
  if (told.length === 0) return;
  const ids = await withCoupon(tx, [...new Set(told.map((event) => event.payload.tradeId))]);
  if (ids.length === 0) return;
  const trades = new Map((await lockTrades(tx, ids)).map((trade) => [trade.id, trade]));
  const freed: string[] = [];
  for (const { type, payload } of told) {
    const trade = trades.get(payload.tradeId);
    const code = trade && (await apply(tx, type, trade));
    if (code !== undefined) freed.push(code);
  }
  await giveUsesBack(tx, freed);
}

function isTold(event: IncomingEvent): event is ToldEvent {
  switch (event.type) {
    case 'TRADE_PAID':
    case 'TRADE_CLOSED':
    case 'PROMOTION_LOCKED':
    case 'PROMOTION_REJECTED':
      return true;
    default:
      return false;
  }
}

/** Returns the coupon of which a use is free again. */
async function apply(tx: Tx, told: Told, trade: LockedTrade): Promise<string | undefined> {
  switch (told) {
    case 'PROMOTION_LOCKED': {
      // The order has ended meanwhile: the use is given back once more, which counts once.
      if (!(await lockPending(tx, trade.id)) && (await readLock(tx, trade.id)).status === 'RELEASED')
        await tell(tx, 'PROMOTION_RELEASE', await readLock(tx, trade.id));
      return undefined;
    }
    case 'PROMOTION_REJECTED': {
      if (!(await move(tx, trade.id, 'REJECTED')) || trade.status !== 'UNPAID') return undefined;
      const judged = await judgeStored(tx, trade);
      if (judged.status === 'UNPAID') await closeTrades(tx, [judged], 'PROMOTION_REJECTED');
      return undefined;
    }
    case 'TRADE_PAID': {
      const lock = await move(tx, trade.id, 'COMMITTED');
      if (lock?.remote) await tell(tx, 'PROMOTION_COMMIT', lock);
      return undefined;
    }
    case 'TRADE_CLOSED': {
      // Revived meanwhile, the order has its price and with it its use (P28).
      if (trade.status !== 'CLOSED' && trade.status !== 'REFUNDED') return undefined;
      const lock = await move(tx, trade.id, 'RELEASED');
      if (lock?.remote) await tell(tx, 'PROMOTION_RELEASE', lock);
      return lock && !lock.remote ? lock.couponCode : undefined;
    }
  }
}

async function withCoupon(tx: Tx, tradeIds: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    'SELECT trade_id AS id FROM tinystore_order.promotion_lock WHERE trade_id = ANY($1::uuid[])',
    [tradeIds],
  );
  return rows.map((row) => row.id);
}

const COLUMNS = 'trade_id AS "tradeId", coupon_code AS "couponCode", status, remote';

async function move(tx: Tx, tradeId: string, to: PromotionLockStatus): Promise<Lock | undefined> {
  const { rows } = await tx.query<Lock>(
    `UPDATE tinystore_order.promotion_lock SET status = $2, updated_at = ops.clock_now()
     WHERE trade_id = $1 AND status = ANY($3::text[]) RETURNING ${COLUMNS}`,
    [tradeId, to, sourcesOf(PROMOTION_LOCK, to)],
  );
  return rows[0];
}

/** An answer to the request; what was released meanwhile stays so (P40). */
async function lockPending(tx: Tx, tradeId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE tinystore_order.promotion_lock SET status = 'LOCKED', updated_at = ops.clock_now()
     WHERE trade_id = $1 AND status = 'PENDING'`,
    [tradeId],
  );
  return rowCount === 1;
}

async function readLock(tx: Tx, tradeId: string): Promise<Lock> {
  const { rows } = await tx.query<Lock>(`SELECT ${COLUMNS} FROM tinystore_order.promotion_lock WHERE trade_id = $1`, [
    tradeId,
  ]);
  const [lock] = rows;
  if (!lock) throw new Error(`trade ${tradeId} has lost its promotion lock`);
  return lock;
}

async function tell(tx: Tx, type: 'PROMOTION_COMMIT' | 'PROMOTION_RELEASE', lock: Lock): Promise<void> {
  const { tradeId, couponCode } = lock;
  await append(tx, [{ type, key: tradeId, traceId: tradeId, payload: { tradeId, couponCode } }]);
}

/** Coupons last, and sorted (P12). */
async function giveUsesBack(tx: Tx, codes: readonly string[]): Promise<void> {
  const uses = Map.groupBy(codes, (code) => code);
  for (const code of [...uses.keys()].sort()) {
    const { rowCount } = await tx.query(
      'UPDATE tinystore_order.coupon SET used = used - $2 WHERE code = $1 AND used >= $2',
      [code, uses.get(code)?.length ?? 0],
    );
    if (rowCount !== 1) throw new Error(`coupon ${code} has no use to give back`);
  }
}
