/**
 * Rebuild of the gate (P10): a new epoch under the exclusive lock, one snapshot of the ledger, every REDIS-mode SKU
 * installed, then the scripts, then open. An order commit runs wholly before the new epoch, and is in the snapshot,
 * or after it, and is refused; so whatever happened to Redis, nothing from before can become an order.
 */
import type { Log, Pool, Redis, Session, Sql } from '../../platform/index.ts';
import { readPrimary, sameIdentity } from '../identity.ts';
import { epochKey, type SkuRef } from '../keys.ts';
import { type LiveHold, liveHolds } from '../live-holds.ts';
import { type Scripts, scriptsFor, VERBS } from '../scripts.ts';
import { installSku, type SkuLoad } from './install-sku.ts';

export interface RebuildDeps {
  readonly pool: Pool;
  /** Opens the session that takes the lock and keeps the snapshot (P12). */
  readonly openSession: () => Promise<Session>;
  /** Opens a connection that is never opened again once lost (P7). */
  readonly openInstallRedis: () => Promise<Redis>;
  readonly log: Log;
}

/** `asked`: by a person; scripts of every life are flushed first. */
export type RebuildCause = 'closed' | 'asked';

const SKUS_A_PAGE = 1000;
const MAX_PAGES = 10_000;

/**
 * @returns the new epoch, open; or undefined when another rebuild has overtaken this one.
 * @throws on any lost connection: nothing was opened, the next try starts anew.
 */
export async function rebuildGate(deps: RebuildDeps, cause: RebuildCause): Promise<number | undefined> {
  const redis = await deps.openInstallRedis();
  let db: Session | undefined;
  try {
    const server = await readPrimary(redis);
    if (cause === 'asked') await redis.script('FLUSH');
    const found = await highestEpochInRedis(redis, deps.pool);
    db = await deps.openSession();
    const epoch = await raiseEpoch(db, found);
    const scripts = scriptsFor(epoch);
    await redis.script('LOAD', scripts.install.text);
    const installed = await installAll(db, redis, scripts);
    await Promise.all(VERBS.map((verb) => redis.script('LOAD', scripts[verb].text)));
    if (!sameIdentity(server, await readPrimary(redis))) throw new Error('the Redis server changed during the rebuild');
    const { rowCount } = await deps.pool.query(
      `UPDATE tinystore_inventory.gate_epoch SET open = true, run_id = $2, master_replid = $3,
         opened_at = ops.clock_now(), closed_reported = NULL, closed_reason = NULL WHERE epoch = $1`,
      [epoch, server.runId, server.masterReplid],
    );
    deps.log.info({ epoch, installed }, rowCount === 1 ? 'gate open' : 'rebuild overtaken by a newer epoch');
    return rowCount === 1 ? epoch : undefined;
  } finally {
    redis.disconnect();
    // A session that still holds the lock lets go of it by ending.
    await db?.end().catch((error: unknown) => deps.log.debug({ error }, 'gatekeeper session ended before'));
  }
}

/** Epochs standing in Redis count too: after a restore of PostgreSQL they may be ahead of it (P10, P21). */
async function highestEpochInRedis(redis: Redis, pool: Pool): Promise<number> {
  let highest = 0;
  let after: SkuRef = { shopId: '', skuId: '' };
  for (let page = 0; page < MAX_PAGES; page++) {
    const { rows } = await pool.query<SkuRef>(
      `SELECT shop_id AS "shopId", sku_id AS "skuId" FROM tinystore_inventory.inventory_stock
       WHERE (shop_id, sku_id) > ($1, $2) ORDER BY shop_id, sku_id LIMIT $3`,
      [after.shopId, after.skuId, SKUS_A_PAGE],
    );
    const last = rows.at(-1);
    if (!last) return highest;
    for (const mark of await redis.mget(rows.map(epochKey))) {
      const epoch = Number(/(\d+):\d+$/.exec(mark ?? '')?.[1] ?? 0);
      if (Number.isSafeInteger(epoch)) highest = Math.max(highest, epoch);
    }
    after = last;
  }
  throw new Error(`more than ${MAX_PAGES * SKUS_A_PAGE} SKUs`);
}

/** Exclusive lock, new epoch committed, snapshot begun and read once, lock given up (measured order: P10). */
async function raiseEpoch(db: Sql, found: number): Promise<number> {
  await db.query('SELECT pg_advisory_lock(ops.gate_lock_key())');
  const { rows } = await db.query<{ epoch: number }>(
    `UPDATE tinystore_inventory.gate_epoch SET epoch = greatest(epoch, $1) + 1, open = false, closed_reported = NULL,
       closed_reason = coalesce(closed_reason, 'REBUILD') RETURNING epoch`,
    [found],
  );
  await db.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await db.query('SELECT 1 FROM tinystore_inventory.gate_epoch');
  await db.query('SELECT pg_advisory_unlock(ops.gate_lock_key())');
  // From here the session holds nothing that another waits for, so it may take its time.
  await db.query('SET LOCAL idle_in_transaction_session_timeout = 60000');
  await db.query('SET LOCAL statement_timeout = 30000');
  const [row] = rows;
  if (!row) throw new Error('gate_epoch has no row');
  return row.epoch;
}

async function installAll(sql: Sql, redis: Redis, scripts: Scripts): Promise<number> {
  let installed = 0;
  let after: SkuRef = { shopId: '', skuId: '' };
  for (let page = 0; page < MAX_PAGES; page++) {
    const { rows } = await sql.query<Omit<SkuLoad, 'holds'>>(
      `SELECT shop_id AS "shopId", sku_id AS "skuId", generation, total_quantity AS "totalQuantity", confirmed_quantity AS "confirmedQuantity"
       FROM tinystore_inventory.inventory_stock
       WHERE gate_mode = 'REDIS' AND (shop_id, sku_id) > ($1, $2) ORDER BY shop_id, sku_id LIMIT $3`,
      [after.shopId, after.skuId, SKUS_A_PAGE],
    );
    const last = rows.at(-1);
    if (!last) {
      await sql.query('COMMIT');
      return installed;
    }
    const holds = Map.groupBy(await liveHolds(sql, rows), holdSku);
    const done = await Promise.all(
      rows.map((row) => installSku(redis, scripts, { ...row, holds: holds.get(holdSku(row)) ?? [] })),
    );
    if (done.includes(false)) throw new Error('a newer load stands at the gate; this rebuild is overtaken');
    installed += rows.length;
    after = last;
  }
  throw new Error(`more than ${MAX_PAGES * SKUS_A_PAGE} SKUs`);
}

const holdSku = (of: SkuRef | LiveHold) => `${of.shopId}/${of.skuId}`;
