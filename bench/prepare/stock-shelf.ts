/** Puts goods on sale for a suite: received like any other stock, and loaded at the gate before the suite starts. */
import { mint } from '@holdfast/core/domain';
import { epochKey } from '@holdfast/core/gate';
import { receiveStock } from '@holdfast/core/ledger';
import { openRedis, type Pool } from '@holdfast/core/platform';
import { until } from '@holdfast/core/testing';

const SHOP = 'bench';
const SKUS = 50;
const UNITS = 10_000_000;
const PRICE_MINOR = 1999;

export interface Shelf {
  readonly shopId: string;
  readonly skuIds: readonly string[];
  readonly unitPriceMinor: number;
}

export async function stockShelf(pool: Pool, redisUrl: string): Promise<Shelf> {
  const skuIds = Array.from({ length: SKUS }, (_, n) => `bench-${n}`);
  await pool.query(
    `INSERT INTO tinystore_order.shop (id, name, currency) VALUES ($1, 'Bench', 'EUR') ON CONFLICT DO NOTHING`,
    [SHOP],
  );
  await pool.query(
    `INSERT INTO tinystore_order.product (id, shop_id, name, description, art) VALUES ($1, $1, 'Bench', 'Bench', 'tee') ON CONFLICT DO NOTHING`,
    [SHOP],
  );
  for (const skuId of skuIds) {
    await pool.query(
      'INSERT INTO tinystore_order.sku (shop_id, id, product_id, name, price_minor) VALUES ($1, $2, $1, $2, $3) ON CONFLICT DO NOTHING',
      [SHOP, skuId, PRICE_MINOR],
    );
    await receiveStock(pool, { shopId: SHOP, skuId, quantity: UNITS, operationId: mint(), actor: 'bench' });
  }
  const redis = openRedis(redisUrl, 'bench');
  await until('the goods are at the gate', async () =>
    (await redis.mget(skuIds.map((skuId) => epochKey({ shopId: SHOP, skuId })))).every((mark) =>
      mark?.match(/^\d+:\d+$/),
    ),
  );
  redis.disconnect();
  return { shopId: SHOP, skuIds, unitPriceMinor: PRICE_MINOR };
}
