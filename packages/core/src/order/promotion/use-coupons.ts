/**
 * The promotion's side of locks that travel as events: counts uses and keeps a receipt of each request, so that a repeat
 * changes nothing and gets no second answer. A use holds under any number of orders at once: coupons are locked, sorted.
 */
import type { EventPayload, IncomingEvent } from '../../domain/index.ts';
import { append } from '../../outbox/index.ts';
import type { Tx } from '../../platform/index.ts';

type Request = 'PROMOTION_LOCK' | 'PROMOTION_COMMIT' | 'PROMOTION_RELEASE';
type Asked = Extract<IncomingEvent, { type: Request }>;

/** In the order of the events. Events of other types are left alone. */
export async function useCoupons(tx: Tx, events: readonly IncomingEvent[]): Promise<void> {
  const asked = events.filter(isRequest);
  if (asked.length === 0) return;
  await tx.query('SELECT 1 FROM tinystore_order.coupon WHERE code = ANY($1::text[]) ORDER BY code FOR UPDATE', [
    [...new Set(asked.map((event) => event.payload.couponCode))],
  ]);
  for (const { type, payload, traceId } of asked)
    if (type === 'PROMOTION_LOCK') await lock(tx, payload, traceId);
    else if (type === 'PROMOTION_COMMIT') await move(tx, payload.tradeId, 'COMMITTED');
    else await release(tx, payload);
}

function isRequest(event: IncomingEvent): event is Asked {
  return event.type === 'PROMOTION_LOCK' || event.type === 'PROMOTION_COMMIT' || event.type === 'PROMOTION_RELEASE';
}

type Named = EventPayload<'PROMOTION_LOCK'>;

async function lock(tx: Tx, { tradeId, couponCode }: Named, traceId: string): Promise<void> {
  const { rows } = await tx.query<{ status: 'LOCKED' | 'REJECTED' }>(
    `INSERT INTO tinystore_order.coupon_use (trade_id, coupon_code, status)
     SELECT $1, $2, CASE WHEN EXISTS (SELECT FROM tinystore_order.coupon c
                                      WHERE c.code = $2 AND c.active AND c.used < c.usage_limit) THEN 'LOCKED' ELSE 'REJECTED' END
     ON CONFLICT (trade_id) DO NOTHING RETURNING status`,
    [tradeId, couponCode],
  );
  const status = rows[0]?.status;
  if (status === undefined) return;
  if (status === 'LOCKED') await count(tx, couponCode, 1);
  const type = status === 'LOCKED' ? 'PROMOTION_LOCKED' : 'PROMOTION_REJECTED';
  await append(tx, [{ type, key: tradeId, traceId, payload: { tradeId, couponCode } }]);
}

/** A release that comes before its lock leaves its mark, and the lock finds it. */
async function release(tx: Tx, { tradeId, couponCode }: Named): Promise<void> {
  if (await move(tx, tradeId, 'RELEASED')) await count(tx, couponCode, -1);
  await tx.query(
    `INSERT INTO tinystore_order.coupon_use (trade_id, coupon_code, status) VALUES ($1, $2, 'RELEASED') ON CONFLICT DO NOTHING`,
    [tradeId, couponCode],
  );
}

async function move(tx: Tx, tradeId: string, to: 'COMMITTED' | 'RELEASED'): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE tinystore_order.coupon_use SET status = $2, updated_at = ops.clock_now() WHERE trade_id = $1 AND status = 'LOCKED'`,
    [tradeId, to],
  );
  return rowCount === 1;
}

async function count(tx: Tx, code: string, uses: 1 | -1): Promise<void> {
  const { rowCount } = await tx.query('UPDATE tinystore_order.coupon SET used = used + $2 WHERE code = $1', [
    code,
    uses,
  ]);
  if (rowCount !== 1) throw new Error(`coupon ${code} is gone`);
}
