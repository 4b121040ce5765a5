/**
 * Brings a database up to date: creates it when it does not exist, then applies prisma/migrations in order.
 * Run it as a program (`node prisma/migrate.ts`, DATABASE_URL) or call `migrate(url)`. Two at once are safe: the
 * second waits for the first and finds nothing left to do.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { withSchemaEngine } from './schema-engine.ts';

export const MIGRATIONS_DIR = join(import.meta.dirname, 'migrations');
// Any number of our own; Prisma's engine takes another one inside.
const MIGRATE_LOCK = 5210204873914614n;
const ALREADY_THERE = new Set(['42P04', '23505']);
const MISSING_DATABASE = '3D000';

/** Applies what is missing and names it. @throws when a migration fails or an applied file was edited. */
export async function migrate(url: string): Promise<string[]> {
  const client = await connectOrCreate(url);
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATE_LOCK]);
    const migrationsList = await readMigrations();
    return await withSchemaEngine(url, async (engine) => {
      const filters = { externalTables: [], externalEnums: [] };
      const { editedMigrationNames: edited } = await engine.diagnoseMigrationHistory({
        migrationsList,
        optInToShadowDatabase: false,
        filters,
      });
      if (edited.length > 0) throw new Error(`migrations were edited after they were applied: ${edited.join(', ')}`);
      const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters });
      return appliedMigrationNames;
    });
  } finally {
    await client.end();
  }
}

/** The migration folders in order, in the shape the engine reads. */
export async function readMigrations() {
  const entries = await readdir(MIGRATIONS_DIR, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  const migrationDirectories = await Promise.all(
    names.map(async (path) => ({
      path,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok' as const, value: await readFile(join(MIGRATIONS_DIR, path, 'migration.sql'), 'utf8') },
      },
    })),
  );
  const lockfile = {
    path: 'migration_lock.toml',
    content: await readFile(join(MIGRATIONS_DIR, 'migration_lock.toml'), 'utf8'),
  };
  return { baseDir: MIGRATIONS_DIR, lockfile, shadowDbInitScript: '', migrationDirectories };
}

async function connectOrCreate(url: string): Promise<pg.Client> {
  try {
    return await connect(url);
  } catch (error) {
    if (codeOf(error) !== MISSING_DATABASE) throw error;
  }
  await createDatabase(url);
  return connect(url);
}

async function createDatabase(url: string): Promise<void> {
  const server = new URL(url);
  const name = decodeURIComponent(server.pathname.slice(1));
  server.pathname = '/postgres';
  const client = await connect(server.href);
  try {
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } catch (error) {
    // Another process created it in the same moment.
    if (!ALREADY_THERE.has(codeOf(error))) throw error;
  } finally {
    await client.end();
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    application_name: 'holdfast-migrate',
    connectionTimeoutMillis: 5000,
  });
  await client.connect();
  return client;
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

if (import.meta.main) {
  const url = process.env.DATABASE_URL;
  if (!url) throw new Error('DATABASE_URL names the database to migrate');
  const applied = await migrate(url);
  console.log(applied.length > 0 ? `migrate: applied ${applied.join(', ')}` : 'migrate: up to date');
}
