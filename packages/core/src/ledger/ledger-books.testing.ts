/** What a test of the ledger reads from the books, and the events of a test trade as its consumers get them. */
import type { ReservedLine } from '../domain/index.ts';
import type { Pool } from '../platform/index.ts';

export interface TestOrder {
  readonly tradeId: string;
  readonly shopOrderId: string;
  readonly lines: ReservedLine[];
  readonly payUntil: string;
  readonly traceId: string;
}

/** The shop orders of a trade with their present holds, sorted by shop. */
export async function readOrders(pool: Pool, tradeId: string): Promise<TestOrder[]> {
  const { rows } = await pool.query<TestOrder>(
    `SELECT so.trade_id AS "tradeId", so.id AS "shopOrderId", to_jsonb(t.pay_until) #>> '{}' AS "payUntil", 'test' AS "traceId",
            jsonb_agg(jsonb_build_object('reservationId', h.reservation_id, 'shopId', h.shop_id, 'skuId', h.sku_id, 'quantity', h.quantity)
                      ORDER BY h.reservation_id) AS lines
     FROM tinystore_order.shop_order so JOIN tinystore_order.trade t ON t.id = so.trade_id
     JOIN tinystore_order.order_line_hold h ON h.shop_order_id = so.id AND h.state = 'CURRENT'
     WHERE so.trade_id = $1 GROUP BY so.id, t.id ORDER BY so.shop_id`,
    [tradeId],
  );
  return rows;
}

/** `total/reserved/confirmed` of each SKU, as one comparable record. */
export async function readStock(pool: Pool): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ sku: string; figures: string }>(
    `SELECT shop_id || '.' || sku_id AS sku, concat_ws('/', total_quantity, reserved_quantity, confirmed_quantity) AS figures
     FROM tinystore_inventory.inventory_stock ORDER BY 1`,
  );
  return Object.fromEntries(rows.map((row) => [row.sku, row.figures]));
}

/** How many rows each status has. */
export async function countReservations(pool: Pool, tradeId?: string): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ status: string; n: number }>(
    `SELECT status, count(*)::integer AS n FROM tinystore_inventory.inventory_reservation
     WHERE $1::uuid IS NULL OR trade_id = $1 GROUP BY 1`,
    [tradeId ?? null],
  );
  return Object.fromEntries(rows.map((row) => [row.status, row.n]));
}

export async function countEffects(pool: Pool): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ kind: string; n: number }>(
    'SELECT kind, count(*)::integer AS n FROM tinystore_inventory.gate_effect GROUP BY 1',
  );
  return Object.fromEntries(rows.map((row) => [row.kind, row.n]));
}

export async function countEvents(pool: Pool): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ type: string; n: number }>(
    `SELECT type, count(*)::integer AS n FROM tinystore_order.outbox_event
     WHERE type LIKE 'INVENTORY%' AND type <> 'INVENTORY_RESERVE_DB' OR type = 'TRADE_CLOSED' GROUP BY 1`,
  );
  return Object.fromEntries(rows.map((row) => [row.type, row.n]));
}

export async function openIncidents(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT kind || ' ' || subject AS name FROM ops.incident WHERE status = 'OPEN' ORDER BY 1`,
  );
  return rows.map((row) => row.name);
}

/** What a verified payment does to a trade, without the payment code: PAID_PENDING, and its notice judged PAID. */
export async function markPaid(pool: Pool, tradeId: string, eventId = `pay-${tradeId}`): Promise<void> {
  await pool.query(
    `UPDATE tinystore_order.trade SET status = 'PAID_PENDING', paid_at = ops.clock_now() WHERE id = $1`,
    [tradeId],
  );
  await pool.query(`UPDATE tinystore_order.shop_order SET status = 'CONFIRMING' WHERE trade_id = $1`, [tradeId]);
  await pool.query(
    `INSERT INTO tinystore_order.payment_event (event_id, intent_ref, trade_id, kind, attempt, amount_minor, currency, payload, judged_at, verdict)
     SELECT $2, i.id, i.trade_id, 'SUCCEEDED', 1, i.amount_minor, i.currency, '{}', ops.clock_now(), 'PAID'
     FROM tinystore_order.payment_intent i WHERE i.trade_id = $1`,
    [tradeId, eventId],
  );
}
