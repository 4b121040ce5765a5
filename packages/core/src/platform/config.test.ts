/** The configuration: the names and defaults of the design, and a refusal by name for every kind of wrong value. */
import { expect, test } from 'vitest';
import { TEST_SECRETS } from '../testing/test-config.ts';
import { ConfigError, loadConfig } from './config.ts';
import { CONFIG_SECTIONS } from './config-sections.ts';

const STRIPE = {
  PAYMENT_PROVIDER: 'stripe',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PAY_PAGE_URL: 'https://pay.example/',
};
const NEEDED = {
  DATABASE_URL: 'postgres://somewhere',
  REDIS_URL: 'redis://somewhere',
  KAFKA_BROKERS: 'somewhere:1',
  ...TEST_SECRETS,
  ...STRIPE,
};
const load = (env: Record<string, string>) => loadConfig({ ...NEEDED, ...env });

/** Design, section 14: parameter and default, as the environment knows them. */
const DESIGN = {
  INVENTORY_RECONCILIATION_ENABLED: true,
  INVENTORY_RECONCILIATION_FIXED_DELAY: 600_000,
  INVENTORY_RESERVATION_EXPIRY_ENABLED: true,
  INVENTORY_RESERVATION_EXPIRY_FIXED_DELAY: 60_000,
  INVENTORY_RESERVATION_EXPIRY_DEFAULT_MINUTES: 15,
  INVENTORY_KAFKA_CONSUMER_RETRY_MAX_ATTEMPTS: 5,
  INVENTORY_KAFKA_CONSUMER_RETRY_BACKOFF_INITIAL_MS: 500,
  INVENTORY_KAFKA_CONSUMER_RETRY_BACKOFF_MULTIPLIER: 2,
  INVENTORY_KAFKA_CONSUMER_RETRY_BACKOFF_MAX_MS: 10_000,
  INVENTORY_KAFKA_CONSUMER_DLT_ENABLED: true,
  INVENTORY_UNCOMMIT_CLEANUP_TIMEOUT: 1_800_000,
  INVENTORY_UNCOMMIT_CLEANUP_PROOF_AGE: 60_000,
  ORDER_IDEMPOTENCY_TTL_SECONDS: 600,
  ORDER_IDEMPOTENCY_FAIL_ON_REDIS_ERROR: false,
  ORDER_PAYMENT_TIMEOUT_SECONDS: 900,
  ORDER_PAYMENT_EXTENSION_SECONDS: 300,
  ORDER_AUTO_RECEIVE_TIMEOUT_SECONDS: 604_800,
  ORDER_OUTBOX_POLL_INTERVAL: 1000,
  ORDER_OUTBOX_BATCH_SIZE: 5000,
  ORDER_OUTBOX_RETENTION_DAYS: 7,
  ORDER_SCHEDULER_PAYMENT_TIMEOUT_INTERVAL: 60_000,
  ORDER_PROMOTION_COMMIT_ASYNC_ENABLED: false,
  ORDER_PROMOTION_PENDING_TIMEOUT_SECONDS: 30,
  ORDER_PROMOTION_PENDING_TIMEOUT_BATCH_SIZE: 200,
  ORDER_PROMOTION_PENDING_TIMEOUT_CHECK_MS: 10_000,
  GATE_COMMAND_TIMEOUT_MS: 500,
  ORDER_REQUEST_LIMIT_MS: 5000,
  ORDER_OPEN_LIMIT: 5,
};

test('Every parameter of the design exists under its name with its default', () => {
  const all = Object.assign({}, ...Object.values(load({})));
  expect(all).toMatchObject(DESIGN);
});

test.each([
  ['a word that is neither true nor false', 'INVENTORY_KAFKA_CONSUMER_DLT_ENABLED', 'yes'],
  ['a number in words', 'ORDER_PAYMENT_EXTENSION_SECONDS', 'five minutes'],
  ['a number below its limit', 'ORDER_PAYMENT_TIMEOUT_SECONDS', '0'],
  ['a number above its limit', 'ORDER_OUTBOX_BATCH_SIZE', '50001'],
  ['a fraction of a whole number', 'ORDER_PROMOTION_PENDING_TIMEOUT_BATCH_SIZE', '1.5'],
  ['a multiplier that shrinks the wait', 'INVENTORY_KAFKA_CONSUMER_RETRY_BACKOFF_MULTIPLIER', '0.5'],
  ['a duration in another form', 'INVENTORY_RECONCILIATION_FIXED_DELAY', '10 minutes'],
  ['a duration without a figure', 'INVENTORY_UNCOMMIT_CLEANUP_TIMEOUT', 'PT'],
  ['a job without a pause', 'ORDER_OUTBOX_POLL_INTERVAL', '0'],
  ['a job rarer than once a day', 'JOB_PAYMENT_COMPARE_INTERVAL', 'PT25H'],
  ['a time that no day has', 'JOB_OUTBOX_CLEAN_UP_AT', '24:00'],
  ['a profile that does not exist', 'HOLDFAST_PROFILE', 'staging'],
  ['an address of another protocol', 'DATABASE_URL', 'mysql://somewhere'],
  ['a secret that can be guessed', 'BETTER_AUTH_SECRET', 'short'],
  ['a demo secret in production', 'BUYER_COOKIE_SECRET', 'demo-0123456789012345678901234567890'],
  ['a level of logging that does not exist', 'LOG_LEVEL', 'loud'],
])('A start with %s is refused by the name of the variable', (_what, name, value) => {
  expect(() => load({ [name]: value })).toThrow(ConfigError);
  expect(() => load({ [name]: value })).toThrow(name);
});

test('Each missing variable that has no default is named', () => {
  for (const name of Object.keys(NEEDED)) expect(() => loadConfig({ ...NEEDED, [name]: '' })).toThrow(name);
});

test('The short limits of the demo are nobody else’s default', () => {
  for (const profile of ['demo', 'test', 'production'])
    expect(load({ HOLDFAST_PROFILE: profile }).order).toEqual(load({}).order);
});

test('Durations are read as ISO 8601 and as milliseconds', () => {
  const { INVENTORY_RECONCILIATION_FIXED_DELAY: delay } = CONFIG_SECTIONS.inventory.shape;
  expect(['PT1H', 'PT1M30S', '250', 'PT24H'].map((text) => delay.parse(text))).toEqual([
    3_600_000, 90_000, 250, 86_400_000,
  ]);
});

test('The demo provider, which takes no money, is refused in production', () => {
  expect(() => load({ PAYMENT_PROVIDER: 'demo' })).toThrow('PAYMENT_PROVIDER');
  expect(load({ PAYMENT_PROVIDER: 'demo', HOLDFAST_PROFILE: 'demo' }).payment.PAYMENT_PROVIDER).toBe('demo');
});

test('Stripe is refused by the name of what is missing', () => {
  for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_PAY_PAGE_URL']) expect(() => load({ [name]: '' })).toThrow(name);
  expect(load(STRIPE).payment).toMatchObject({ ...STRIPE, STRIPE_API_URL: 'https://api.stripe.com' });
});

test('P34 – no outbox row is kept so long that its inbox mark, which lives for 14 days, could go before it', () => {
  expect(load({ ORDER_OUTBOX_RETENTION_DAYS: '12' }).order.ORDER_OUTBOX_RETENTION_DAYS).toBe(12);
  for (const days of ['13', '14', '365'])
    expect(() => load({ ORDER_OUTBOX_RETENTION_DAYS: days })).toThrow('ORDER_OUTBOX_RETENTION_DAYS');
});
