/** The gate as a lever of browser flows. */
import { createPool, openRedis } from '@holdfast/core/platform';

/**
 * Closes the gate and keeps it closed while `look` runs: a rebuild needs the gate's lock for itself, and this session
 * shares it. Afterwards the session ends, and with it the lock; the gatekeeper then opens the gate by itself.
 */
export async function whileGateIsClosed(look: () => Promise<void>): Promise<void> {
  const { DATABASE_URL: url } = process.env;
  if (!url) throw new Error('DATABASE_URL names the database of the product under test');
  const pool = createPool({ url, name: 'holdfast-e2e-gate', max: 1 });
  const session = await pool.connect();
  try {
    await session.query('SELECT pg_advisory_lock_shared(ops.gate_lock_key())');
    await session.query(
      `UPDATE tinystore_inventory.gate_epoch
       SET open = false, closed_reported = ops.clock_now(), closed_reason = 'closed by a browser flow'`,
    );
    await look();
  } finally {
    session.release(true);
    await pool.end();
  }
}

/** Changes T of a SKU behind everybody's back, as a foreign writer or a bug would. */
export async function changeCapacity(shopId: string, skuId: string, units: number): Promise<void> {
  const { REDIS_URL: url } = process.env;
  if (!url) throw new Error('REDIS_URL names the gate of the product under test');
  const redis = openRedis(url, 'holdfast-e2e-gate');
  try {
    await redis.incrby(`inventory:total:{${shopId}}:${skuId}`, units);
    await redis.incr(`inventory:version:{${shopId}}:${skuId}`);
  } finally {
    redis.disconnect();
  }
}
