/**
 * Shop orders that stay in RESERVING, CONFIRMING or RELEASING become incidents, which close by themselves when the
 * order has moved on. Whatever is still on its way, or has an incident of its own, explains them and raises none.
 */
import { openIncident } from '../../ops/index.ts';
import { inTransaction, type Pool, type Sql } from '../../platform/index.ts';

/** Seen in one state for so long: two looks of order.audit, at its usual cadence. */
export const STUCK_AFTER_MS = 5 * 60_000;
const MOST_WATCHED = 50_000;
const MOST_INCIDENTS_A_RUN = 100;

const SEE = `
  INSERT INTO tinystore_order.unsettled_order AS u (shop_order_id, status)
  SELECT id, status FROM (
    SELECT id, status FROM tinystore_order.shop_order WHERE status IN ('RESERVING', 'RELEASING')
    UNION ALL SELECT id, status FROM tinystore_order.shop_order WHERE status = 'CONFIRMING'
  ) o ORDER BY id LIMIT ${MOST_WATCHED}
  ON CONFLICT (shop_order_id) DO UPDATE SET status = excluded.status, seen_at = ops.clock_now()
  WHERE u.status <> excluded.status`;

const FORGET = `
  DELETE FROM tinystore_order.unsettled_order u
  WHERE NOT EXISTS (SELECT FROM tinystore_order.shop_order s WHERE s.id = u.shop_order_id AND s.status = u.status)`;

const STUCK = `
  SELECT u.shop_order_id AS "shopOrderId", s.trade_id AS "tradeId", u.status, u.seen_at AS since
  FROM tinystore_order.unsettled_order u JOIN tinystore_order.shop_order s ON s.id = u.shop_order_id AND s.status = u.status
  WHERE u.seen_at <= ops.clock_now() - $1::double precision * interval '1 millisecond'
    AND u.shop_order_id::text <> ALL ($2::text[])
    AND NOT EXISTS (SELECT FROM tinystore_inventory.failing_key f WHERE f.key = u.shop_order_id::text)
    AND u.shop_order_id::text NOT IN (SELECT e.key FROM tinystore_order.outbox_pending p JOIN tinystore_order.outbox_event e USING (id))
    AND NOT EXISTS (SELECT FROM ops.incident i WHERE i.kind = 'ORDER_STUCK' AND i.subject = u.shop_order_id::text AND i.status = 'OPEN')
  ORDER BY u.seen_at LIMIT ${MOST_INCIDENTS_A_RUN}`;

const CLOSE = `
  UPDATE ops.incident i SET status = 'CLOSED', closed_at = ops.clock_now(), closed_by = 'order.audit'
  WHERE i.kind = 'ORDER_STUCK' AND i.status = 'OPEN'
    AND NOT EXISTS (SELECT FROM tinystore_order.unsettled_order u
                    WHERE u.shop_order_id::text = i.subject AND u.status = i.detail->>'status')`;

export interface Unsettled {
  readonly stuck: number;
  readonly closed: number;
}

/** @param onTheWay keys of events that were sent and that their consumer has not reached */
export async function watchUnsettled(pool: Pool, onTheWay: readonly string[]): Promise<Unsettled> {
  return inTransaction(pool, async (tx) => {
    await tx.query(SEE);
    await tx.query(FORGET);
    const { rowCount: closed } = await tx.query(CLOSE);
    return { stuck: await raise(tx, onTheWay), closed: closed ?? 0 };
  });
}

async function raise(tx: Sql, onTheWay: readonly string[]): Promise<number> {
  const { rows } = await tx.query<{ shopOrderId: string; tradeId: string; status: string; since: Date }>(STUCK, [
    STUCK_AFTER_MS,
    onTheWay,
  ]);
  for (const { shopOrderId, ...found } of rows)
    await openIncident(tx, {
      kind: 'ORDER_STUCK',
      subject: shopOrderId,
      detail: { shopOrderId, ...found, safeAction: 'ask again' },
    });
  return rows.length;
}
