/** Demo accounts for the console. Called by seed and tests in the profiles demo and test, never in production. */
import { createAuth, openAuthPool, type Role } from './create-auth.ts';

export interface DemoLogin {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  readonly role: Role;
}

/** Only hashing and the tables are used here, so the secret signs nothing. */
const UNUSED_SECRET = 'seeding-signs-nothing-0123456789-abcdefghijk';

/** Writes the logins that are missing; a second call changes nothing but a changed role. */
export async function seedDemoLogins(databaseUrl: string, logins: readonly DemoLogin[]): Promise<void> {
  const pool = openAuthPool(databaseUrl);
  try {
    const auth = createAuth(pool, {
      process: {
        HOLDFAST_PROFILE: 'demo',
        PORT: 0,
        INTERNAL_PORT: 0,
        PUBLIC_URL: 'http://localhost',
        LOG_LEVEL: 'silent',
      },
      secrets: { PAYMENT_WEBHOOK_SECRET: '', BETTER_AUTH_SECRET: UNUSED_SECRET, BUYER_COOKIE_SECRET: '' },
    });
    const context = await auth.$context;
    for (const login of logins) {
      const known = await context.internalAdapter.findUserByEmail(login.email);
      if (!known) {
        const user = await context.internalAdapter.createUser(
          { email: login.email, name: login.name, emailVerified: true, role: login.role, demo: true },
          { method: 'email-password' },
        );
        await context.internalAdapter.linkAccount({
          userId: user.id,
          providerId: 'credential',
          accountId: user.id,
          password: await context.password.hash(login.password),
        });
      }
      await pool.query('UPDATE "user" SET "role" = $2, "demo" = true WHERE "email" = $1', [login.email, login.role]);
    }
  } finally {
    await pool.end();
  }
}
