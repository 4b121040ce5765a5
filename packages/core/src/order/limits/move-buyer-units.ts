/**
 * Units of limited SKUs that a buyer has ordered (P23), moved after the order: down when it closes or is refunded, up
 * again, unchecked, when it is revived. A trade counts in the window in which it was placed; what was never counted
 * finds no row. The caller holds the buyers' rows of buyer_limit, which are locked before any trade (P12).
 */
import type { Sql, Tx } from '../../platform/index.ts';

export interface TradeUnits {
  readonly tradeId: string;
  readonly shopId: string;
  readonly skuId: string;
  readonly quantity: number;
}

const MOVE = `
  WITH moved AS (
    SELECT b.buyer_id, b.shop_id, b.sku_id, b.window_start, sum(u.quantity) AS units
    FROM unnest($1::uuid[], $2::text[], $3::text[], $4::integer[]) AS u(trade_id, shop_id, sku_id, quantity)
    JOIN tinystore_order.trade t ON t.id = u.trade_id
    JOIN tinystore_order.buyer_sku_limit b ON b.buyer_id = t.buyer_id AND b.shop_id = u.shop_id AND b.sku_id = u.sku_id
      AND t.created_at >= b.window_start AND t.created_at < b.window_end
    GROUP BY 1, 2, 3, 4
  )
  UPDATE tinystore_order.buyer_sku_limit b SET units = greatest(0, b.units + $5 * m.units)
  FROM moved m WHERE (b.buyer_id, b.shop_id, b.sku_id, b.window_start) = (m.buyer_id, m.shop_id, m.sku_id, m.window_start)`;

export async function lockBuyers(tx: Tx, buyerIds: readonly string[]): Promise<void> {
  await tx.query(
    'SELECT 1 FROM tinystore_order.buyer_limit WHERE buyer_id = ANY($1::uuid[]) ORDER BY buyer_id FOR UPDATE',
    [buyerIds],
  );
}

export async function lowerBuyerUnits(tx: Tx, units: readonly TradeUnits[]): Promise<void> {
  await move(tx, units, -1);
}

/** For a revive, in its own transaction: `lockBuyers` comes first in it, before the trade is locked. */
export async function raiseBuyerUnits(tx: Tx, tradeId: string): Promise<void> {
  await move(tx, await readTradeUnits(tx, [tradeId]), 1);
}

/** All units of these trades. */
export async function readTradeUnits(sql: Sql, tradeIds: readonly string[]): Promise<TradeUnits[]> {
  if (tradeIds.length === 0) return [];
  const { rows } = await sql.query<TradeUnits>(
    `SELECT so.trade_id AS "tradeId", so.shop_id AS "shopId", l.sku_id AS "skuId", l.quantity
     FROM tinystore_order.shop_order so JOIN tinystore_order.order_line l ON l.shop_order_id = so.id
     WHERE so.trade_id = ANY($1::uuid[])`,
    [tradeIds],
  );
  return rows;
}

async function move(tx: Tx, units: readonly TradeUnits[], sign: 1 | -1): Promise<void> {
  if (units.length === 0) return;
  await tx.query(MOVE, [
    units.map((u) => u.tradeId),
    units.map((u) => u.shopId),
    units.map((u) => u.skuId),
    units.map((u) => u.quantity),
    sign,
  ]);
}
