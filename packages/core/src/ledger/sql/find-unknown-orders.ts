/** Which of these shop orders no hold has ever belonged to. */
import type { Sql } from '../../platform/index.ts';

export async function findUnknownOrders(tx: Sql, shopOrderIds: readonly string[]): Promise<string[]> {
  if (shopOrderIds.length === 0) return [];
  const { rows } = await tx.query<{ id: string }>(
    `SELECT o.id FROM unnest($1::uuid[]) AS o(id)
     WHERE NOT EXISTS (SELECT 1 FROM tinystore_order.order_line_hold h WHERE h.shop_order_id = o.id)`,
    [shopOrderIds],
  );
  return rows.map((row) => row.id);
}
