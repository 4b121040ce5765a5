/** Puts a SKU on sale for a test: catalogue rows, then stock received like any other. */
import { mint } from '../domain/index.ts';
import { receiveStock } from '../ledger/index.ts';
import type { Pool } from '../platform/index.ts';

export const TEST_PRICE_MINOR = 1999;

export async function putOnSale(pool: Pool, shopId: string, skuId: string, units: number): Promise<void> {
  const productId = `${shopId}.${skuId}`;
  await pool.query(
    `INSERT INTO tinystore_order.shop (id, name, currency) VALUES ($1, $1, 'EUR') ON CONFLICT DO NOTHING`,
    [shopId],
  );
  await pool.query(
    `INSERT INTO tinystore_order.product (id, shop_id, name, description, art) VALUES ($1, $2, $3, 'test', 'tee')
     ON CONFLICT DO NOTHING`,
    [productId, shopId, skuId],
  );
  await pool.query(
    `INSERT INTO tinystore_order.sku (shop_id, id, product_id, name, price_minor) VALUES ($1, $2, $3, 'one', $4)`,
    [shopId, skuId, productId, TEST_PRICE_MINOR],
  );
  await receiveStock(pool, { shopId, skuId, quantity: units, operationId: mint(), actor: 'test' });
}
