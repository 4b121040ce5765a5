/**
 * The first step of a revive (P28): new ids for every line of a closed trade, written down as INTENDED before they
 * are sent to the gate (P13), so that whatever becomes of the take, they are known and can be ended. Those of an
 * earlier attempt are ended first.
 */
import { mint } from '../../../domain/index.ts';
import { tombstoneIntended } from '../../../ledger/index.ts';
import type { Tx } from '../../../platform/index.ts';
import { readHolds, type TradeHold } from '../../trade/read-holds.ts';

export interface IntendedLine extends Omit<TradeHold, 'row'> {
  /** The mode of its SKU now; the order may have been admitted under another. */
  readonly gateMode: 'REDIS' | 'DATABASE';
}

export async function intendHolds(tx: Tx, tradeId: string): Promise<IntendedLine[]> {
  await tombstoneIntended(tx, tradeId);
  const old = await readHolds(tx, [tradeId]);
  const { rows } = await tx.query<IntendedLine>(
    `INSERT INTO tinystore_order.order_line_hold
       (reservation_id, shop_order_id, trade_id, shop_id, sku_id, quantity, attempt, state, gate_mode)
     SELECT n.id, h.shop_order_id, h.trade_id, h.shop_id, h.sku_id, h.quantity,
       (SELECT max(a.attempt) + 1 FROM tinystore_order.order_line_hold a
        WHERE a.shop_order_id = h.shop_order_id AND a.sku_id = h.sku_id), 'INTENDED', s.gate_mode
     FROM unnest($1::uuid[], $2::uuid[]) AS n(old, id)
     JOIN tinystore_order.order_line_hold h ON h.reservation_id = n.old
     JOIN tinystore_inventory.inventory_stock s ON s.shop_id = h.shop_id AND s.sku_id = h.sku_id
     RETURNING reservation_id AS "reservationId", shop_order_id AS "shopOrderId", trade_id AS "tradeId",
       shop_id AS "shopId", sku_id AS "skuId", quantity, gate_mode AS "gateMode"`,
    [old.map((hold) => hold.reservationId), old.map(() => mint<'ReservationId'>())],
  );
  if (rows.length !== old.length) throw new Error(`trade ${tradeId} has lines without a stock row`);
  return rows;
}
