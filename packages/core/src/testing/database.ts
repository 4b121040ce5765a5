/**
 * A fresh, migrated database for one test file, on the server that DATABASE_URL names. Migrating takes half a
 * second, so one template per state of prisma/migrations is kept and copied.
 */
import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate, readMigrations } from '../../../../prisma/migrate.ts';
import { createPool, type Pool } from '../platform/index.ts';
import { plantSql } from './plants/plant-sql.ts';
import { presentPlant } from './plants/register.ts';

export interface TestDatabase {
  readonly url: string;
  /** Ten connections with limits that a busy machine does not meet; tests about limits open their own pool. */
  readonly pool: Pool;
  /** Closes the pool, cuts off everybody else and removes the database. */
  drop(): Promise<void>;
}

const TEMPLATE_PREFIX = 'holdfast_template_';
/** Taken for building and copying: a template must have no visitors while it is copied. */
const TEMPLATE_LOCK = 5210204873914615n;

/**
 * @param name shows up in the database's name, for whoever looks at the server while tests run
 * @param timeZone what its sessions think their zone is; the server's own unless given
 */
export async function createTestDatabase(name = 'test', timeZone?: string): Promise<TestDatabase> {
  const database = `holdfast_${name.replaceAll(/\W+/g, '_').toLowerCase().slice(0, 32)}_${randomBytes(4).toString('hex')}`;
  await onServer(async (server) => {
    await server.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const template = await haveTemplate(server);
    await server.query(`CREATE DATABASE ${database} TEMPLATE ${template}`);
    if (timeZone) await server.query(`ALTER DATABASE ${database} SET timezone TO '${timeZone}'`);
  });
  const url = urlOf(database);
  const pool = createPool({
    url,
    name: `test ${name}`,
    max: 10,
    lockTimeoutMs: 10_000,
    statementTimeoutMs: 20_000,
    idleInTransactionMs: 20_000,
  });
  const plant = presentPlant();
  if (plant) await plantSql(pool, plant);
  return {
    url,
    pool,
    async drop() {
      if (!pool.ended) await pool.end();
      await onServer((server) => server.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`));
    },
  };
}

/** Returns the template's name; builds it under another name first, so that a half-migrated one is never copied. */
async function haveTemplate(server: pg.Client): Promise<string> {
  const template = `${TEMPLATE_PREFIX}${await hashMigrations()}`;
  const { rows } = await server.query<{ datname: string }>(
    'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
    [TEMPLATE_PREFIX],
  );
  if (rows.some(({ datname }) => datname === template)) return template;
  // Left over from earlier migrations, or half-built: whoever still needs one builds it again.
  for (const { datname } of rows) await server.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  const building = `${template}_building`;
  await migrate(urlOf(building));
  await server.query(`ALTER DATABASE ${building} RENAME TO ${template}`);
  return template;
}

async function hashMigrations(): Promise<string> {
  const { migrationDirectories } = await readMigrations();
  return createHash('sha256').update(JSON.stringify(migrationDirectories)).digest('hex').slice(0, 16);
}

async function onServer(work: (server: pg.Client) => Promise<unknown>): Promise<void> {
  const server = new pg.Client({ connectionString: urlOf('postgres'), application_name: 'holdfast-test' });
  await server.connect();
  try {
    await work(server);
  } finally {
    await server.end();
  }
}

function urlOf(database: string): string {
  const given = process.env.DATABASE_URL;
  if (!given) throw new Error('DATABASE_URL must name a database on the server where test databases may be created');
  const url = new URL(given);
  url.pathname = `/${database}`;
  return url.href;
}
