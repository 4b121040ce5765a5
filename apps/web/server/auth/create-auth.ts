/** Operator sign-in: e-mail and password by better-auth, tables in schema `ops`, no sign-up from outside. */
import { type Config, createPool, type Pool } from '@holdfast/core/platform';
import { betterAuth } from 'better-auth';

export type Role = 'viewer' | 'operator' | 'admin';
export interface Operator {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
}

/**
 * All that the console asks of the library over HTTP. The rest of its endpoints (passwords by mail, sign-up, other
 * providers) is closed at the edge: nothing here uses it, and `disabledPaths` cannot name one with a token in it.
 */
export const AUTH_PATHS: ReadonlySet<string> = new Set([
  '/api/auth/sign-in/email',
  '/api/auth/sign-out',
  '/api/auth/get-session',
]);

const TWELVE_HOURS_SECONDS = 43_200;

/** A pool of its own: the library names its tables without a schema. */
export function openAuthPool(databaseUrl: string): Pool {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', '-c search_path=ops -c statement_timeout=2000 -c lock_timeout=500');
  return createPool({ url: url.href, name: 'holdfast-auth', max: 2 });
}

export function createAuth(pool: Pool, config: Pick<Config, 'process' | 'secrets'>) {
  return betterAuth({
    database: pool,
    baseURL: config.process.PUBLIC_URL,
    basePath: '/api/auth',
    secret: config.secrets.BETTER_AUTH_SECRET,
    telemetry: { enabled: false },
    logger: { level: 'error' },
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 10 },
    session: { expiresIn: TWELVE_HOURS_SECONDS, cookieCache: { enabled: true, maxAge: 60 } },
    rateLimit: { enabled: true, window: 60, max: 120, customRules: { '/sign-in/email': { window: 60, max: 20 } } },
    advanced: { cookiePrefix: 'hf' },
    user: {
      additionalFields: {
        role: { type: 'string', required: true, defaultValue: 'viewer', input: false },
        demo: { type: 'boolean', required: true, defaultValue: false, input: false, returned: false },
      },
    },
  });
}

export type Auth = ReturnType<typeof createAuth>;

const ROLES: readonly string[] = ['viewer', 'operator', 'admin'];
const isRole = (role: string): role is Role => ROLES.includes(role);

/** Who is signed in, or undefined. An unknown role is nobody. */
export async function readOperator(auth: Auth, headers: Headers): Promise<Operator | undefined> {
  const session = await auth.api.getSession({ headers });
  if (!session || !isRole(session.user.role)) return undefined;
  const { id, name, email, role } = session.user;
  return { id, name, email, role };
}
