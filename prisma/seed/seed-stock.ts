/** Stock comes in as it always does, by a receipt of the ledger; fixed operation ids make a second seed do nothing. */
import { isRefused } from '@holdfast/core/domain';
import { receiveStock } from '@holdfast/core/ledger';
import type { Pool } from '@holdfast/core/platform';
import { SHOPS } from './catalogue.ts';

const FIRST_OPERATION = 0x5eed_0000;

/** @returns the units that came in now */
export async function seedStock(pool: Pool): Promise<number> {
  const wanted = SHOPS.flatMap((shop) =>
    shop.products.flatMap((product) => product.skus.map((sku) => ({ shopId: shop.id, sku }))),
  );
  let units = 0;
  for (const [index, { shopId, sku }] of wanted.entries()) {
    if (sku.units === 0) await listWithoutStock(pool, shopId, sku.id);
    else units += await receive(pool, shopId, sku.id, sku.units, operationId(index));
  }
  return units;
}

async function receive(
  pool: Pool,
  shopId: string,
  skuId: string,
  quantity: number,
  operation: string,
): Promise<number> {
  const receipt = await receiveStock(pool, { shopId, skuId, quantity, operationId: operation, actor: 'seed' });
  if (isRefused(receipt)) throw new Error(`${shopId}/${skuId}: ${receipt.message}`);
  return receipt.kind === 'received' ? quantity : 0;
}

function operationId(index: number): string {
  return `${(FIRST_OPERATION + index).toString(16)}-0000-4000-8000-000000000000`;
}

/** Sold out from the start: the gate has to know the SKU, else it could not say so. */
async function listWithoutStock(pool: Pool, shopId: string, skuId: string): Promise<void> {
  await pool.query(
    `WITH listed AS (
       INSERT INTO tinystore_inventory.inventory_stock (shop_id, sku_id, total_quantity) VALUES ($1, $2, 0)
       ON CONFLICT DO NOTHING RETURNING shop_id, sku_id)
     INSERT INTO tinystore_inventory.gate_effect (kind, shop_id, sku_id) SELECT 'INSTALL', shop_id, sku_id FROM listed`,
    [shopId, skuId],
  );
}
