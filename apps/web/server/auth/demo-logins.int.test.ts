import { createTestDatabase, type TestDatabase, testConfig } from '@holdfast/core/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAuth, openAuthPool } from './create-auth.ts';
import { refuseDemoAccounts } from './refuse-demo-accounts.ts';
import { seedDemoLogins } from './seed-demo-logins.ts';

const LOGINS = [
  { email: 'vera@holdfast.example', password: 'a-password-to-look', name: 'Vera', role: 'viewer' },
  { email: 'otto@holdfast.example', password: 'a-password-to-act', name: 'Otto', role: 'operator' },
] as const;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('logins');
});
afterAll(() => database.drop());

it('seeding twice leaves each login once, with its role, and it can sign in', async () => {
  await seedDemoLogins(database.url, LOGINS);
  await seedDemoLogins(database.url, LOGINS);
  const { rows } = await database.pool.query('SELECT "email", "role" FROM ops."user" ORDER BY 1');
  expect(rows).toEqual(LOGINS.map(({ email, role }) => ({ email, role })).sort((a, b) => (a.email < b.email ? -1 : 1)));

  const pool = openAuthPool(database.url);
  try {
    const auth = createAuth(pool, testConfig());
    for (const { email, password } of LOGINS) {
      const signedIn = await auth.api.signInEmail({ body: { email, password } });
      expect(signedIn.user.email).toBe(email);
      await expect(auth.api.signInEmail({ body: { email, password: `${password}?` } })).rejects.toThrow();
    }
  } finally {
    await pool.end();
  }
});

it('nobody can sign up from outside', async () => {
  const pool = openAuthPool(database.url);
  try {
    const auth = createAuth(pool, testConfig());
    const body = { email: 'stranger@elsewhere.example', password: 'a-long-enough-password', name: 'Stranger' };
    await expect(auth.api.signUpEmail({ body })).rejects.toThrow();
  } finally {
    await pool.end();
  }
});

it('production refuses to start while a demo account exists; demo does not', async () => {
  await seedDemoLogins(database.url, LOGINS);
  await expect(refuseDemoAccounts(database.pool, 'production')).rejects.toThrow('demo accounts exist');
  await refuseDemoAccounts(database.pool, 'demo');
  await database.pool.query('DELETE FROM ops."user"');
  await refuseDemoAccounts(database.pool, 'production');
});
