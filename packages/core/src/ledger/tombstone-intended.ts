/**
 * Ends ids that a revive intended and did not get to use (P28): their RELEASED tombstone and its give-back, so that
 * units they may hold at the gate come back, and no later attempt can use them. The caller holds the trade's lock.
 */
import type { Sql } from '../platform/index.ts';
import type { HeldRow } from './held-row.ts';
import { insertEffects } from './sql/insert-effects.ts';

const INSERT = `
  INSERT INTO tinystore_inventory.inventory_reservation
    (reservation_id, shop_id, sku_id, quantity, status, trade_id, order_id, held_at, release_reason, ended_at)
  SELECT h.reservation_id, h.shop_id, h.sku_id, h.quantity, 'RELEASED', h.trade_id, h.shop_order_id, h.held_at,
         'NOT_REVIVED', ops.clock_now()
  FROM tinystore_order.order_line_hold h WHERE h.trade_id = $1 AND h.state = 'INTENDED'
  ORDER BY h.reservation_id
  RETURNING reservation_id AS "reservationId", shop_id AS "shopId", sku_id AS "skuId", quantity,
            trade_id AS "tradeId", order_id AS "shopOrderId"`;

export async function tombstoneIntended(tx: Sql, tradeId: string): Promise<number> {
  const { rows } = await tx.query<HeldRow>(INSERT, [tradeId]);
  await insertEffects(tx, 'GIVE_BACK', rows);
  if (rows.length > 0)
    await tx.query(
      `UPDATE tinystore_order.order_line_hold SET state = 'PAST' WHERE trade_id = $1 AND state = 'INTENDED'`,
      [tradeId],
    );
  return rows.length;
}
