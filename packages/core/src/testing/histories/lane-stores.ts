/**
 * What a lane keeps over all its histories: one database and one redis-server of its own, put back to the state after
 * migration between two of them. Nobody else uses them, so nothing has to survive a server: commits do not wait for the disk.
 */
import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import pg from 'pg';
import { createPool, type Pool, type Sql } from '../../platform/index.ts';
import { createTestDatabase } from '../database.ts';
import { startTestRedis } from '../redis-server.ts';

export interface LaneStores {
  readonly pool: Pool;
  readonly databaseUrl: string;
  readonly redis: Redis;
  readonly redisUrl: string;
  /** For looking: statements are planned once. */
  readonly look: Sql;
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** A lock is only ever held by a process that is held itself: nobody gets it by waiting longer. */
const LOCK_TIMEOUT_MS = 10;
/** Rows deleted leave dead ones behind; every so often the tables begin anew. */
const TRUNCATE_EVERY = 150;

export async function openLaneStores(name: string): Promise<LaneStores> {
  const [database, server] = await Promise.all([createTestDatabase(name), startTestRedis()]);
  await database.pool.query(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET lock_timeout TO '10ms'`);
  const pool = createPool({
    url: database.url,
    name: 'histories',
    max: 20,
    lockTimeoutMs: LOCK_TIMEOUT_MS,
    statementTimeoutMs: 20_000,
    idleInTransactionMs: 600_000,
  });
  Object.assign(pool.options, {
    verify: (client: pg.PoolClient, done: (error?: Error) => void) =>
      void client.query('SET synchronous_commit TO off').then(() => done(), done),
  });
  const redis = new Redis(server.url);
  redis.on('error', () => undefined);
  const looker = new pg.Client({
    connectionString: database.url,
    options: '-c plan_cache_mode=force_generic_plan -c jit=off',
  });
  await looker.connect();
  const tables = await listTables(looker);
  let resets = 0;
  return {
    pool,
    redis,
    databaseUrl: database.url,
    redisUrl: server.url,
    look: { query: (text, values) => looker.query({ name: nameOf(text), text, values: [...(values ?? [])] }) },
    async reset() {
      await looker.query(resetStatement(tables, resets++ % TRUNCATE_EVERY === 0));
      await redis.flushall();
      await redis.script('FLUSH');
    },
    async close() {
      await Promise.all([pool.end(), looker.end()]);
      redis.disconnect();
      await server.stop();
      await database.drop();
    },
  };
}

const nameOf = (text: string) => createHash('sha1').update(text).digest('base64');

/** Those that a migration leaves empty; the others keep what it has put there. */
async function listTables(sql: pg.Client): Promise<string[]> {
  const { rows } = await sql.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname IN ('tinystore_order', 'tinystore_inventory', 'ops', 'demo_provider')`,
  );
  const empty: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await sql.query(`SELECT 1 FROM ${name} LIMIT 1`);
    if (rowCount === 0) empty.push(name);
  }
  return empty;
}

function resetStatement(tables: readonly string[], anew: boolean): string {
  const emptied = anew ? [`TRUNCATE ${tables.join(', ')}`] : tables.map((table) => `DELETE FROM ${table}`);
  return [
    'BEGIN',
    'SET LOCAL session_replication_role = replica',
    ...emptied,
    `UPDATE tinystore_inventory.gate_epoch SET epoch = 0, open = false, run_id = NULL, master_replid = NULL,
       opened_at = NULL, closed_reported = NULL, closed_reason = NULL`,
    'COMMIT',
  ].join(';\n');
}
