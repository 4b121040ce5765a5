/**
 * Orders without the events of their transaction: they can only come from a hand that wrote around it (C36). Payment
 * still records their units first (P26), and their time still ends them, so the incident closes when they are closed.
 */
import { openIncident } from '../../ops/index.ts';
import { inTransaction, type Pool } from '../../platform/index.ts';

/** The commit writes order and events at once, so each order is looked at once; a run overlaps the one before. */
const OVERLAP_MS = 10 * 60_000;
const FIRST_LOOK_MS = 6 * 24 * 3600_000;
const MOST = 100;

const EVENTLESS = `
  WITH young AS MATERIALIZED (
    SELECT id FROM tinystore_order.trade WHERE created_at >= $1 AND created_at < $2
  ), said AS MATERIALIZED (
    SELECT key, type FROM tinystore_order.outbox_event
    WHERE occurred_at >= $1 AND type IN ('TRADE_CREATED', 'ORDER_CREATED', 'PAYMENT_INTENT_CREATED', 'INVENTORY_RESERVE_DB')
  ), wanted AS (
    SELECT y.id AS trade_id, y.id AS key, w.type FROM young y
    CROSS JOIN (VALUES ('TRADE_CREATED'), ('ORDER_CREATED'), ('PAYMENT_INTENT_CREATED')) AS w(type)
    UNION ALL
    SELECT DISTINCT y.id, h.shop_order_id, 'INVENTORY_RESERVE_DB' FROM young y
    JOIN tinystore_order.order_line_hold h ON h.trade_id = y.id AND h.gate_mode = 'REDIS' AND h.attempt = 1
  )
  SELECT w.trade_id AS "tradeId", array_agg(w.type ORDER BY w.type) AS missing FROM wanted w
  WHERE NOT EXISTS (SELECT FROM said s WHERE s.key = w.key::text AND s.type = w.type)
  GROUP BY 1 ORDER BY 1 LIMIT ${MOST}`;

const CLOSE = `
  UPDATE ops.incident i SET status = 'CLOSED', closed_at = ops.clock_now(), closed_by = 'order.audit'
  WHERE i.kind = 'ORDER_WITHOUT_EVENTS' AND i.status = 'OPEN'
    AND NOT EXISTS (SELECT FROM tinystore_order.trade t
                    WHERE t.id::text = i.subject AND t.status NOT IN ('CLOSED', 'REFUNDED'))`;

/** Orders made between the last run's end and a minute ago. Returns how many are without events. */
export async function findEventless(
  pool: Pool,
  { checkedUpTo, until }: { readonly checkedUpTo: Date | null; readonly until: Date },
): Promise<number> {
  const since = checkedUpTo ? checkedUpTo.getTime() - OVERLAP_MS : until.getTime() - FIRST_LOOK_MS;
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ tradeId: string; missing: string[] }>(EVENTLESS, [new Date(since), until]);
    for (const { tradeId, missing } of rows)
      await openIncident(tx, {
        kind: 'ORDER_WITHOUT_EVENTS',
        subject: tradeId,
        detail: { tradeId, missing, safeAction: 'cancel the order' },
      });
    await tx.query(CLOSE);
    return rows.length;
  });
}
