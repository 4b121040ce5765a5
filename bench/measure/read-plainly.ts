/**
 * What reconcile is compared with: the same keys by pipelined MGET and ZCARD, twice, and the same rows by two plain
 * queries, without any script, snapshot or comparison. Seconds.
 */
import { liveHolds, type SkuRef, skuKeys } from '@holdfast/core/gate';
import type { Pool, Redis } from '@holdfast/core/platform';

const SKUS_A_PIPELINE = 1000;

export async function readPlainly(pool: Pool, redis: Redis): Promise<number> {
  const started = performance.now();
  const { rows: skus } = await pool.query<SkuRef>(
    `SELECT shop_id AS "shopId", sku_id AS "skuId", generation, total_quantity, reserved_quantity, confirmed_quantity
     FROM tinystore_inventory.inventory_stock`,
  );
  await liveHolds(pool);
  for (const _look of ['first', 'second'])
    for (let from = 0; from < skus.length; from += SKUS_A_PIPELINE) {
      const pipeline = redis.pipeline();
      for (const sku of skus.slice(from, from + SKUS_A_PIPELINE)) {
        const [total, deducted, uncommit, version, epoch] = skuKeys(sku);
        pipeline.mget(total, deducted, version, epoch);
        pipeline.zcard(uncommit);
      }
      await pipeline.exec();
    }
  return (performance.now() - started) / 1000;
}
