import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../packages/core/src/testing/database.ts';
import { migrate, readMigrations } from './migrate.ts';
import { diffFromSchema } from './read-schema.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase('schema');
});
afterAll(() => db.drop());

test('Migrations and Prisma schema describe the same tables, columns, keys and indexes', async () => {
  expect(await diffFromSchema(db.url)).toBe('');
});

test.each([
  ['a column', 'ALTER TABLE tinystore_order.trade ADD COLUMN gift text', 'DROP COLUMN "gift"'],
  ['a table', 'CREATE TABLE ops.stray (id text PRIMARY KEY)', 'DROP TABLE "ops"."stray"'],
  ['a partial index', 'DROP INDEX tinystore_order.outbox_pending_parked', 'CREATE INDEX "outbox_pending_parked"'],
  [
    'an index condition',
    `DROP INDEX tinystore_order.shop_order_in_flight; CREATE INDEX shop_order_in_flight
    ON tinystore_order.shop_order (id) WHERE status = 'RESERVING'`,
    'shop_order_in_flight',
  ],
])('A difference in %s is noticed', async (_what, change, expected) => {
  const changed = await createTestDatabase('schema_change');
  try {
    await changed.pool.query(change);
    expect(await diffFromSchema(changed.url)).toContain(expected);
  } finally {
    await changed.drop();
  }
});

test('Migrating twice, and twice at once, applies each migration once', async () => {
  const { migrationDirectories } = await readMigrations();
  const fresh = new URL(db.url);
  fresh.pathname += '_fresh';
  const admin = db.pool;
  try {
    const applied = await Promise.all([migrate(fresh.href), migrate(fresh.href)]);
    expect(applied.flat().sort()).toEqual(migrationDirectories.map(({ path }) => path));
    expect(await migrate(fresh.href)).toEqual([]);
  } finally {
    await admin.query(`DROP DATABASE IF EXISTS ${fresh.pathname.slice(1)} WITH (FORCE)`);
  }
});

test('Checksums are those of `prisma migrate deploy`: SHA-256 of the file', async () => {
  const { createHash } = await import('node:crypto');
  const { migrationDirectories } = await readMigrations();
  const { rows } = await db.pool.query<{ name: string; checksum: string }>(
    'SELECT migration_name AS name, checksum FROM public._prisma_migrations WHERE finished_at IS NOT NULL ORDER BY 1',
  );
  expect(rows).toEqual(
    migrationDirectories.map(({ path, migrationFile }) => ({
      name: path,
      checksum: createHash('sha256').update(migrationFile.content.value).digest('hex'),
    })),
  );
});
