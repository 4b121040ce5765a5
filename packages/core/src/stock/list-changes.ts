/** What people have done to stock, newest first, for the console. */
import type { OperationKind } from '../ledger/index.ts';
import type { Pool } from '../platform/index.ts';

export interface StockChangeView {
  readonly operationId: string;
  readonly kind: OperationKind;
  readonly shopId: string;
  readonly skuId: string;
  readonly quantity: number;
  readonly totalBefore: number;
  readonly totalAfter: number;
  readonly importId: string | null;
  readonly actor: string;
  readonly reason: string;
  readonly at: Date;
}

const MAX_CHANGES = 100;

export async function listStockChanges(pool: Pool): Promise<StockChangeView[]> {
  const { rows } = await pool.query<StockChangeView>(
    `SELECT id AS "operationId", kind, shop_id AS "shopId", sku_id AS "skuId", quantity, total_before AS "totalBefore",
            total_after AS "totalAfter", import_id AS "importId", actor, reason, at
     FROM tinystore_inventory.stock_operation ORDER BY at DESC, id DESC LIMIT ${MAX_CHANGES}`,
  );
  return rows;
}

export interface StockView {
  readonly totalQuantity: number;
  readonly reservedQuantity: number;
  readonly confirmedQuantity: number;
  /** What a recount has to name. */
  readonly version: number;
}

/** Undefined for a SKU that has had no stock yet. */
export async function readStock(pool: Pool, shopId: string, skuId: string): Promise<StockView | undefined> {
  const { rows } = await pool.query<StockView>(
    `SELECT total_quantity AS "totalQuantity", reserved_quantity AS "reservedQuantity", confirmed_quantity AS "confirmedQuantity", version
     FROM tinystore_inventory.inventory_stock WHERE shop_id = $1 AND sku_id = $2`,
    [shopId, skuId],
  );
  return rows[0];
}
