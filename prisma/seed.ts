/**
 * Fills a migrated database for demo and tests: catalogue, stock, and logins for the console. Run it as often as
 * you like (`node prisma/seed.ts`, DATABASE_URL and HOLDFAST_PROFILE); what was sold stays sold.
 */
import { createPool } from '@holdfast/core/platform';
import { createPrisma } from '../packages/core/src/platform/prisma/client.ts';
import { seedCatalogue } from './seed/seed-catalogue.ts';
import { seedCoupons } from './seed/seed-coupons.ts';
import { seedOrdinary } from './seed/seed-ordinary.ts';
import { seedStock } from './seed/seed-stock.ts';

/** Accounts of the profiles demo and test; a production process refuses to start while one of them exists. */
export const DEMO_LOGINS = [
  { role: 'viewer', name: 'Vera Viewer', email: 'viewer@holdfast.example', password: 'look-do-not-touch' },
  { role: 'operator', name: 'Otto Operator', email: 'operator@holdfast.example', password: 'repair-with-reason' },
  { role: 'admin', name: 'Ada Admin', email: 'admin@holdfast.example', password: 'four-eyes-are-two' },
] as const;

const PROFILES_WITH_LOGINS: readonly string[] = ['demo', 'test'];

/** @returns what changed, as one line */
export async function seed(databaseUrl: string, profile: string): Promise<string> {
  const pool = createPool({
    url: databaseUrl,
    name: 'holdfast-seed',
    max: 2,
    lockTimeoutMs: 5_000,
    statementTimeoutMs: 10_000,
  });
  try {
    await seedCatalogue(createPrisma(pool));
    const units = await seedStock(pool);
    await seedOrdinary(pool);
    if (PROFILES_WITH_LOGINS.includes(profile)) await seedCoupons(pool);
    const logins = PROFILES_WITH_LOGINS.includes(profile) ? await seedLogins(databaseUrl) : 0;
    return `seed: catalogue in place, ${units} units came in, ${logins} demo logins`;
  } finally {
    await pool.end();
  }
}

/** Loaded only when used: a production seed needs nothing of the web app. */
async function seedLogins(databaseUrl: string): Promise<number> {
  const { seedDemoLogins } = await import('../apps/web/server/auth/seed-demo-logins.ts');
  await seedDemoLogins(databaseUrl, DEMO_LOGINS);
  return DEMO_LOGINS.length;
}

if (import.meta.main) {
  const url = process.env.DATABASE_URL;
  if (!url) throw new Error('DATABASE_URL names the database to seed');
  console.log(await seed(url, process.env.HOLDFAST_PROFILE ?? 'production'));
}
