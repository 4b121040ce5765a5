/**
 * One guarded UPDATE for all stock rows of a batch (P5). The rows were locked in (shop, sku) order before, so the
 * order in which the join meets them does not matter. A guard that fails here is a broken invariant: reserving
 * judges on the locked figures first, and releasing or confirming only takes back what was reserved.
 */
import type { Sql } from '../../platform/index.ts';
import type { StockChange } from '../sum-by-sku.ts';

const CHANGE = `
  UPDATE tinystore_inventory.inventory_stock s
  SET total_quantity = s.total_quantity + c.total, reserved_quantity = s.reserved_quantity + c.reserved,
      confirmed_quantity = s.confirmed_quantity + c.confirmed, version = s.version + 1
  FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) AS c(shop_id, sku_id, total, reserved, confirmed)
  WHERE s.shop_id = c.shop_id AND s.sku_id = c.sku_id
    AND s.reserved_quantity + c.reserved BETWEEN 0 AND s.total_quantity + c.total`;

/** @throws when a row is missing or its guard fails */
export async function changeStock(tx: Sql, changes: readonly StockChange[]): Promise<void> {
  if (changes.length === 0) return;
  const { rowCount } = await tx.query(CHANGE, [
    changes.map((c) => c.shopId),
    changes.map((c) => c.skuId),
    changes.map((c) => c.total),
    changes.map((c) => c.reserved),
    changes.map((c) => c.confirmed),
  ]);
  if (rowCount !== changes.length) throw new Error(`stock change met ${rowCount ?? 0} of ${changes.length} rows`);
}
