/** What the order path has to know of a SKU before it takes anything. */
import type { Sql } from '../platform/index.ts';
import type { OrderLineInput } from './order-input.ts';

/** SWITCHING: not for sale for the moment it takes (P20). */
export type GateMode = 'REDIS' | 'DATABASE' | 'SWITCHING';

export interface CatalogueEntry {
  readonly shopId: string;
  readonly skuId: string;
  readonly name: string;
  readonly priceMinor: number;
  readonly currency: string;
  readonly gateMode: GateMode;
  /** Units an order may have; null = as many as a line may. */
  readonly orderLimit: number | null;
  readonly buyerLimited: boolean;
}

/** SKUs that are not for sale are left out. One without stock counts as sold at the gate, which says that it has none. */
export async function readEntries(
  sql: Sql,
  skus: readonly Pick<OrderLineInput, 'shopId' | 'skuId'>[],
): Promise<CatalogueEntry[]> {
  const { rows } = await sql.query<CatalogueEntry>(
    `SELECT s.shop_id AS "shopId", s.id AS "skuId", concat_ws(', ', p.name, nullif(s.name, '')) AS name,
       s.price_minor AS "priceMinor", h.currency, coalesce(i.gate_mode, 'REDIS') AS "gateMode",
       s.order_limit AS "orderLimit", s.buyer_limit IS NOT NULL AS "buyerLimited"
     FROM unnest($1::text[], $2::text[]) AS w(shop_id, id)
     JOIN tinystore_order.sku s ON s.shop_id = w.shop_id AND s.id = w.id AND s.active
     JOIN tinystore_order.product p ON p.id = s.product_id
     JOIN tinystore_order.shop h ON h.id = s.shop_id
     LEFT JOIN tinystore_inventory.inventory_stock i ON i.shop_id = s.shop_id AND i.sku_id = s.id`,
    [skus.map((sku) => sku.shopId), skus.map((sku) => sku.skuId)],
  );
  return rows;
}
