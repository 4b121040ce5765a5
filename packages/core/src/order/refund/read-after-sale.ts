/** What came after the sale of one trade, as its pages show it: parcels, money given back, returns; beside readTrade. */
import type { RefundStatus, ReturnItemStatus } from '../../domain/index.ts';
import type { Sql } from '../../platform/index.ts';
import type { ReturnedUnits } from './decide-refund.ts';
import { LINE_PAID } from './lock-lines.ts';
import type { RefundCause } from './request-refund.ts';

export interface LineAfterSale {
  readonly skuId: string;
  readonly returned: number;
  readonly restocked: number;
  readonly paidMinor: number;
  readonly refundedMinor: number;
}
export interface ParcelView {
  readonly shopOrderId: string;
  readonly carrier: string | null;
  readonly trackingCode: string | null;
  readonly shippedAt: string | null;
  readonly receivedAt: string | null;
  readonly lines: readonly LineAfterSale[];
}
export interface RefundView {
  readonly id: string;
  readonly shopOrderId: string | null;
  readonly cause: RefundCause;
  readonly amountMinor: number;
  readonly currency: string;
  readonly status: RefundStatus;
  readonly reason: string;
  readonly actor: string;
  readonly failure: string | null;
  readonly createdAt: string;
}
export interface ReturnView {
  readonly id: string;
  readonly shopOrderId: string;
  readonly skuId: string;
  readonly quantity: number;
  readonly status: ReturnItemStatus;
  readonly units: ReturnedUnits | null;
  readonly reason: string;
  readonly answer: string | null;
}
export interface AfterSaleView {
  readonly parcels: readonly ParcelView[];
  readonly refunds: readonly RefundView[];
  readonly returns: readonly ReturnView[];
}

const LINES = `(SELECT json_agg(json_build_object('skuId', l.sku_id, 'returned', l.returned_quantity, 'restocked', l.restocked_quantity,
    'paidMinor', ${LINE_PAID}, 'refundedMinor', l.refunded_minor) ORDER BY l.sku_id)
  FROM tinystore_order.order_line l WHERE l.shop_order_id = s.id)`;

/** One statement, so that money and units are of one moment. */
export async function readAfterSale(sql: Sql, tradeId: string): Promise<AfterSaleView> {
  const { rows } = await sql.query<AfterSaleView>(
    `SELECT
       (SELECT coalesce(json_agg(json_build_object('shopOrderId', s.id, 'carrier', s.carrier, 'trackingCode', s.tracking_code,
          'shippedAt', s.shipped_at, 'receivedAt', s.received_at, 'lines', ${LINES}) ORDER BY s.shop_id), '[]')
        FROM tinystore_order.shop_order s WHERE s.trade_id = $1) AS parcels,
       (SELECT coalesce(json_agg(json_build_object('id', r.id, 'shopOrderId', r.shop_order_id, 'cause', r.cause,
          'amountMinor', r.amount_minor, 'currency', r.currency, 'status', r.status, 'reason', r.reason, 'actor', r.actor,
          'failure', r.failure, 'createdAt', r.created_at) ORDER BY r.created_at, r.id), '[]')
        FROM tinystore_order.refund r WHERE r.trade_id = $1) AS refunds,
       (SELECT coalesce(json_agg(json_build_object('id', i.id, 'shopOrderId', i.shop_order_id, 'skuId', i.sku_id,
          'quantity', i.quantity, 'status', i.status, 'units', i.units, 'reason', i.reason, 'answer', i.answer)
          ORDER BY i.created_at, i.id), '[]')
        FROM tinystore_order.return_item i WHERE i.trade_id = $1) AS returns`,
    [tradeId],
  );
  return rows[0] ?? { parcels: [], refunds: [], returns: [] };
}
