/** The present attempt of trades or shop orders: which reservation holds each line's units (P27). */
import type { Sql } from '../../platform/index.ts';
import type { HeldRow } from '../held-row.ts';

const COLUMNS = `SELECT reservation_id AS "reservationId", shop_id AS "shopId", sku_id AS "skuId", quantity,
    trade_id AS "tradeId", shop_order_id AS "shopOrderId" FROM tinystore_order.order_line_hold`;

export async function readHoldsOfTrades(tx: Sql, tradeIds: readonly string[]): Promise<HeldRow[]> {
  const { rows } = await tx.query<HeldRow>(
    `${COLUMNS} WHERE trade_id = ANY($1::uuid[]) AND state = 'CURRENT' ORDER BY reservation_id`,
    [tradeIds],
  );
  return rows;
}

export async function readHoldsOfShopOrders(tx: Sql, shopOrderIds: readonly string[]): Promise<HeldRow[]> {
  const { rows } = await tx.query<HeldRow>(
    `${COLUMNS} WHERE shop_order_id = ANY($1::uuid[]) AND state = 'CURRENT' ORDER BY reservation_id`,
    [shopOrderIds],
  );
  return rows;
}
