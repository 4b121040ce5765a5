/**
 * Prisma for reads and for the cart. Hot paths do not come here (design section 15), so its pool is small and its
 * own: a slow page never waits for a connection that an order needs.
 */
import { PrismaPg } from '@prisma/adapter-pg';
import { createPool, type Pool, type PoolOptions } from '../postgres.ts';
import { Prisma, PrismaClient } from './generated/client.ts';

export type { PrismaClient };
export { Prisma };

const READ_STATEMENT_MS = 5_000;

/** Opens a client with connections of its own; `$disconnect()` closes them. */
export function openPrisma(options: PoolOptions): PrismaClient {
  const pool = createPool({ statementTimeoutMs: READ_STATEMENT_MS, ...options });
  return new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: true }) });
}

/** A client on connections that somebody else opened and closes. */
export function createPrisma(pool: Pool): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg(pool) });
}
