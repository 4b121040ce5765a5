/**
 * A database and a redis-server of a suite's own, filled by SQL and loaded by the product's own rebuild, beside the
 * running product: nothing else reads or writes them, so what is measured is one run of one job.
 */
import { createGatekeeper, type Gatekeeper } from '@holdfast/core/gate';
import {
  createMetrics,
  createPool,
  openGateRedis,
  openInstallRedis,
  openSession,
  type Pool,
  type Redis,
  silentLog,
} from '@holdfast/core/platform';
import { createTestDatabase, startTestRedis } from '@holdfast/core/testing';
import { fillLedger, type LedgerSize } from './fill-ledger.ts';

export interface OwnBooks {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly pool: Pool;
  readonly redis: Redis;
  readonly gatekeeper: Gatekeeper;
  close(): Promise<void>;
}

const COMMAND_LIMIT_MS = 5000;

export async function openOwnBooks(size: LedgerSize): Promise<OwnBooks> {
  const [database, server] = await Promise.all([createTestDatabase('bench'), startTestRedis()]);
  const pool = createPool({ url: database.url, name: 'bench', max: 4, statementTimeoutMs: 300_000 });
  const redis = openGateRedis(server.url, 'bench', COMMAND_LIMIT_MS);
  const gatekeeper = createGatekeeper({
    ...{ pool, redis, holder: 'bench', log: silentLog, metrics: createMetrics('bench') },
    openInstallRedis: () => openInstallRedis(server.url),
    openSession: () => openSession(database.url, 'bench gatekeeper'),
  });
  await fillLedger(pool, size);
  await gatekeeper.runOnce();
  const close = async () => {
    await gatekeeper.stop();
    redis.disconnect();
    await pool.end();
    await Promise.all([database.drop(), server.stop()]);
  };
  return { databaseUrl: database.url, redisUrl: server.url, pool, redis, gatekeeper, close };
}
