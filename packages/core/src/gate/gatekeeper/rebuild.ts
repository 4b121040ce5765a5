/**
 * Rebuild of the gate (P10): a new epoch under the exclusive lock, one snapshot of the ledger, every REDIS-mode SKU
 * installed, then the scripts, then open. An order commit runs wholly before the new epoch, and is in the snapshot,
 * or after it, and is refused; so whatever happened to Redis, nothing from before can become an order.
 */
import type { Log, Pool, Redis, Session, Sql, StopAt } from '../../platform/index.ts';
import { readEpoch } from '../epoch.ts';
import { readPrimary, sameIdentity } from '../identity.ts';
import { epochKey, type SkuRef } from '../keys.ts';
import { type Scripts, scriptsFor, VERBS } from '../scripts.ts';
import { installSku, type SkuLoad } from './install-sku.ts';
import { readLoads } from './read-loads.ts';

export interface RebuildDeps {
  readonly pool: Pool;
  /** Opens the session that takes the lock and keeps the snapshot (P12). */
  readonly openSession: () => Promise<Session>;
  /** Opens a connection that is never opened again once lost (P7). */
  readonly openInstallRedis: () => Promise<Redis>;
  readonly log: Log;
  readonly stopAt?: StopAt;
}

export interface RebuildCause {
  readonly reason: string;
  /** The epoch that was looked at. */
  readonly before: number;
  /** A person's wish that this rebuild fulfils; scripts of every life are flushed first. */
  readonly request?: string | undefined;
}

const SKUS_A_PAGE = 1000;
const MAX_PAGES = 10_000;
const MOST_AHEAD = 1_000_000;

/**
 * @returns the new epoch, open; or undefined when another rebuild has overtaken this one.
 * @throws on any lost connection: nothing was opened, the next try starts anew.
 */
export async function rebuildGate(deps: RebuildDeps, cause: RebuildCause): Promise<number | undefined> {
  const redis = await deps.openInstallRedis();
  let db: Session | undefined;
  try {
    const server = await readPrimary(redis);
    if (cause.request) await redis.script('FLUSH');
    const found = await highestEpochInRedis(redis, deps.pool);
    db = await deps.openSession();
    await deps.stopAt?.('rebuild.begun');
    const epoch = await raiseEpoch(db, found, deps.stopAt);
    const scripts = scriptsFor(epoch);
    await deps.stopAt?.('rebuild.unlocked');
    await redis.script('LOAD', scripts.install.text);
    const installed = await installAll(db, redis, scripts);
    await deps.stopAt?.('rebuild.installed');
    await Promise.all(VERBS.map((verb) => redis.script('LOAD', scripts[verb].text)));
    await deps.stopAt?.('rebuild.loaded');
    if (!sameIdentity(server, await readPrimary(redis))) throw new Error('the Redis server changed during the rebuild');
    const { rows } = await deps.pool.query<{ open: boolean }>(
      'SELECT tinystore_inventory.open_gate($1, $2, $3, $4, $5, $6) AS open',
      [epoch, server.runId, server.masterReplid, cause.before, cause.reason, cause.request ?? null],
    );
    const open = rows[0]?.open === true;
    deps.log.info({ epoch, installed }, open ? 'gate open' : 'rebuild overtaken by a newer epoch');
    return open ? epoch : undefined;
  } finally {
    redis.disconnect();
    // A session that still holds the lock lets go of it by ending.
    await db?.end().catch((error: unknown) => deps.log.debug({ error }, 'gatekeeper session ended before'));
  }
}

/**
 * Epochs standing in Redis count too: after a restore of PostgreSQL they may be ahead of it (P10, P21). What is a
 * million ahead was written by no rebuild, and install.lua writes over it.
 */
async function highestEpochInRedis(redis: Redis, pool: Pool): Promise<number> {
  const { epoch: known } = await readEpoch(pool);
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
      const epoch = Number(/^(?:loading:)?(\d{1,15}):\d{1,16}$/.exec(mark ?? '')?.[1] ?? 0);
      if (epoch <= known + MOST_AHEAD) highest = Math.max(highest, epoch);
    }
    after = last;
  }
  throw new Error(`more than ${MAX_PAGES * SKUS_A_PAGE} SKUs`);
}

/** Exclusive lock, new epoch committed, snapshot begun and read once, lock given up (measured order: P10). */
async function raiseEpoch(db: Sql, found: number, stopAt?: StopAt): Promise<number> {
  await db.query('SELECT pg_advisory_lock(ops.gate_lock_key())');
  await stopAt?.('rebuild.locked');
  const { rows } = await db.query<{ epoch: number }>(
    `UPDATE tinystore_inventory.gate_epoch SET epoch = greatest(epoch, $1) + 1, open = false, closed_reported = NULL,
       closed_since = coalesce(closed_since, ops.clock_now()), closed_reason = coalesce(closed_reason, 'REBUILD')
     RETURNING epoch`,
    [found],
  );
  await db.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await db.query('SELECT 1 FROM tinystore_inventory.gate_epoch');
  await stopAt?.('rebuild.raised');
  await db.query('SELECT pg_advisory_unlock(ops.gate_lock_key())');
  // From here the session holds nothing that another waits for, so it may take its time.
  await db.query('SET LOCAL idle_in_transaction_session_timeout = 60000');
  await db.query('SET LOCAL statement_timeout = 30000');
  const [row] = rows;
  if (!row) throw new Error('gate_epoch has no row');
  return row.epoch;
}

/** One page is installed while the next is read; more are never in memory. */
async function installAll(db: Sql, redis: Redis, scripts: Scripts): Promise<number> {
  const pages = readLoads(db);
  let installed = 0;
  for (let page = await pages.next(); !page.done; ) {
    const [next] = await Promise.all([pages.next(), installPage(redis, scripts, page.value)]);
    installed += page.value.length;
    page = next;
  }
  await db.query('COMMIT');
  return installed;
}

async function installPage(redis: Redis, scripts: Scripts, loads: readonly SkuLoad[]): Promise<void> {
  const done = await Promise.all(loads.map((load) => installSku(redis, scripts, load)));
  if (done.includes(false)) throw new Error('a newer load stands at the gate; this rebuild is overtaken');
}
