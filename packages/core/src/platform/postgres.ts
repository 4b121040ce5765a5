/**
 * PostgreSQL access for hand-written SQL. A transaction is a value (`Tx`) handed to the functions that take part
 * in it; nothing inside awaits the network. Error classes are those of P33 and P15.
 */
import pg from 'pg';
import { z } from 'zod';

// Counters stay below 2^53 (MAX_STOCK), so bigint columns are read as exact JavaScript numbers.
const INT8_OID = 20;
/** Column types as every connection of the product reads them. */
export const EXACT_NUMBERS = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID ? exactInteger : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

function exactInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`integer ${text} is too large to be exact`);
  return value;
}

export type Pool = pg.Pool;
/** Anything that runs a query: the pool (autocommit) or one transaction. */
export interface Sql {
  query<R extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<pg.QueryResult<R>>;
}
export type Tx = Sql & { readonly tx: true };

export interface PoolOptions {
  readonly url: string;
  readonly name: string;
  readonly max: number;
  /** P12: limits of connections that may take the gate lock; the default. */
  readonly lockTimeoutMs?: number;
  readonly statementTimeoutMs?: number;
  readonly idleInTransactionMs?: number;
}

/** Opens a pool. An idle client that breaks is dropped, never an unhandled error. */
export function createPool(options: PoolOptions): Pool {
  const settings = [
    `-c lock_timeout=${options.lockTimeoutMs ?? 500}`,
    `-c statement_timeout=${options.statementTimeoutMs ?? 2000}`,
    `-c idle_in_transaction_session_timeout=${options.idleInTransactionMs ?? 1000}`,
    '-c synchronous_commit=on',
    // Statements here are short; compiling one (forced plans look costly) takes longer than a hundred runs of it.
    '-c jit=off',
    // A plan kept from when its tables were empty turns quadratic when they have grown (measured: 5 s for a claim of
    // 641 events); planning a batch anew is cheap.
    '-c plan_cache_mode=force_custom_plan',
  ].join(' ');
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.name,
    max: options.max,
    options: settings,
    types: EXACT_NUMBERS,
    connectionTimeoutMillis: 2000,
    query_timeout: (options.statementTimeoutMs ?? 2000) + 1000,
    keepAlive: true,
  });
  pool.on('error', () => undefined);
  // One that breaks while it is in use fails its query; the event itself must not end the process.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
}

/**
 * Runs `work` in one READ COMMITTED transaction and commits. Any throw rolls back and is passed on; a connection
 * that failed to roll back is destroyed, so no half transaction returns to the pool.
 */
export async function inTransaction<T>(pool: Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(
      Object.assign(Object.create(null) as object, { tx: true as const, query: client.query.bind(client) }) as Tx,
    );
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

export type DatabaseErrorClass = 'repeat' | 'outage' | 'unknown' | 'duplicate' | 'fault';

const POOL_TIMEOUT = 'timeout exceeded when trying to connect';
/** Errors of the driver without a code: the connection went away, or none was to be had. */
const CONNECTION = /connection|connect|socket|read timeout|timeout exceeded|not queryable|calling end on the pool/i;
// Codes with a P in front are Prisma's own, for what PostgreSQL never answered.
const REPEAT = new Set(['40001', '40P01', '55P03', '57014', 'P2034']);
const OUTAGE = new Set(['ECONNREFUSED', 'P1001', 'P2024']);
const FATAL = new Set([
  '25P03',
  '25P04',
  '57P01',
  '57P02',
  '57P03',
  '57P04',
  '57P05',
  'P1002',
  'P1008',
  'P1017',
  'P2028',
]);
const MAX_CAUSES = 4;

/**
 * What a database error means. `repeat`: the statement did not happen and may pass next time. `outage`: the
 * server is away, nothing was sent. `unknown`: the session died, it may have happened (P15). `duplicate`: 23505.
 * `fault`: the statement itself is wrong.
 */
export function classifyDatabaseError(error: unknown): DatabaseErrorClass {
  const code = databaseErrorCode(error);
  // No connection could be had in time: nothing was sent.
  if (error instanceof Error && error.message === POOL_TIMEOUT) return 'outage';
  if (code === undefined) return 'unknown';
  if (REPEAT.has(code)) return 'repeat';
  if (OUTAGE.has(code) || code.startsWith('53')) return 'outage';
  if (FATAL.has(code) || code.startsWith('08') || /^E[A-Z]+$/.test(code)) return 'unknown';
  return code === '23505' ? 'duplicate' : 'fault';
}

/** Tells an error of the database or of the way to it from a broken invariant of our own, which is `unknown` too. */
export function isDatabaseError(error: unknown): boolean {
  if (databaseErrorCode(error) !== undefined) return true;
  return error instanceof Error && error.constructor === Error && CONNECTION.test(error.message);
}

const prismaError = z.object({
  meta: z.object({ driverAdapterError: z.object({ cause: z.object({ originalCode: z.string() }) }) }),
});
const codedError = z.object({ code: z.string() });

/** PostgreSQL's own code, also from inside an error of Prisma or of whoever wrapped it. */
export function databaseErrorCode(error: unknown): string | undefined {
  let at = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof at === 'object' && at !== null; depth++) {
    const prisma = prismaError.safeParse(at);
    if (prisma.success) return prisma.data.meta.driverAdapterError.cause.originalCode;
    const coded = codedError.safeParse(at);
    if (coded.success) return coded.data.code;
    at = 'cause' in at ? at.cause : undefined;
  }
  return undefined;
}
