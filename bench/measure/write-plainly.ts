/** What a rebuild is compared with: the same keys by pipelined SET and ZADD into an empty server, without any script. Seconds. */
import { liveHolds, memberOf, type SkuRef, skuKeys } from '@holdfast/core/gate';
import { openGateRedis, type Pool } from '@holdfast/core/platform';
import { startTestRedis } from '@holdfast/core/testing';

const SKUS_A_PIPELINE = 1000;
const COMMAND_LIMIT_MS = 5000;

export async function writePlainly(pool: Pool): Promise<number> {
  const server = await startTestRedis();
  const redis = openGateRedis(server.url, 'plain', COMMAND_LIMIT_MS);
  try {
    await new Promise((resolve) => redis.once('ready', resolve));
    const started = performance.now();
    const { rows: skus } = await pool.query<SkuRef & { total: number }>(
      `SELECT shop_id AS "shopId", sku_id AS "skuId", total_quantity AS total FROM tinystore_inventory.inventory_stock`,
    );
    const holds = Map.groupBy(await liveHolds(pool), (hold) => skuKeys(hold)[2]);
    for (let from = 0; from < skus.length; from += SKUS_A_PIPELINE) {
      const pipeline = redis.pipeline();
      for (const sku of skus.slice(from, from + SKUS_A_PIPELINE)) {
        const [total, deducted, uncommit, version, epoch] = skuKeys(sku);
        pipeline.set(total, sku.total).set(deducted, 0).set(version, 1).set(epoch, '1:1');
        for (const hold of holds.get(uncommit) ?? []) pipeline.zadd(uncommit, hold.heldAtMs, memberOf(hold));
      }
      await pipeline.exec();
    }
    return (performance.now() - started) / 1000;
  } finally {
    redis.disconnect();
    await server.stop();
  }
}
