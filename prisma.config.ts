/**
 * For Prisma's own command line. `prisma migrate deploy` and `node prisma/migrate.ts` apply the same files with the
 * same rows in `_prisma_migrations`; ours needs no native engine and creates the database.
 */
import { defineConfig } from 'prisma/config';

export default defineConfig({
  schema: 'prisma/schema',
  migrations: { path: 'prisma/migrations', seed: 'node prisma/seed.ts' },
  datasource: { url: process.env.DATABASE_URL ?? 'postgresql://localhost:5432/holdfast' },
});
