/** What `npm run bench` hands to a suite. */
export interface BenchEnvironment {
  readonly baseUrl: string;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly cookieSecret: string;
  readonly webhookSecret: string;
  readonly stackDir: string;
}

export function benchEnvironment(): BenchEnvironment {
  const need = (name: string) => {
    const value = process.env[name];
    if (!value) throw new Error(`${name} is missing; start suites by npm run bench`);
    return value;
  };
  return {
    baseUrl: need('BASE_URL'),
    databaseUrl: need('DATABASE_URL'),
    redisUrl: need('REDIS_URL'),
    cookieSecret: need('BUYER_COOKIE_SECRET'),
    webhookSecret: need('PAYMENT_WEBHOOK_SECRET'),
    stackDir: need('HOLDFAST_STACK_DIR'),
  };
}
