/** The configuration of a test: the defaults, fixed secrets, and whatever the test changes. */
import { type Config, loadConfig } from '../platform/index.ts';

export const TEST_SECRETS = {
  PAYMENT_WEBHOOK_SECRET: 'test-payment-webhook-secret-0123456789',
  BETTER_AUTH_SECRET: 'test-better-auth-secret-0123456789abc',
  BUYER_COOKIE_SECRET: 'test-buyer-cookie-secret-0123456789ab',
};

/**
 * Limits a busy machine does not meet, for tests that count refusals: gate commands 10 times the usual limit, order
 * requests 6 times.
 */
export const PATIENT = { GATE_COMMAND_TIMEOUT_MS: '5000', ORDER_REQUEST_LIMIT_MS: '30000' };

export function testConfig(more: Record<string, string> = {}): Config {
  return loadConfig({
    HOLDFAST_PROFILE: 'test',
    DATABASE_URL: 'postgres://unused',
    REDIS_URL: 'redis://unused',
    KAFKA_BROKERS: 'unused:1',
    ...TEST_SECRETS,
    ...more,
  });
}
