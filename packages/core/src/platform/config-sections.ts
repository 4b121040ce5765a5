/**
 * Every configuration variable, by owner: name, type, limits, default and meaning. `.env.example` and
 * docs/configuration.md are generated from this file.
 */
import { z } from 'zod';

const MIN_CADENCE_MS = 100;
const MAX_CADENCE_MS = 24 * 3600 * 1000;

const flag = (fallback: boolean, what: string) =>
  z
    .enum(['true', 'false'])
    .default(fallback ? 'true' : 'false')
    .transform((v) => v === 'true')
    .describe(what);
const count = (fallback: number, min: number, max: number, what: string) =>
  z.coerce.number().int().min(min).max(max).default(fallback).describe(what);
/** ISO 8601 duration of hours, minutes and seconds (PT10M), or milliseconds as a plain number. */
const duration = (fallback: string, what: string) =>
  z
    .string()
    .regex(/^(\d+|PT(?=\d)(\d+H)?(\d+M)?(\d+S)?)$/, 'a duration such as PT10M, or milliseconds')
    .default(fallback)
    .transform(durationMs)
    .describe(what);
/** Hour and minute (03:00), as hours and minutes. */
const timeOfDay = (fallback: string, what: string) =>
  z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day such as 03:00')
    .default(fallback)
    .transform((text) => ({ hour: Number(text.slice(0, 2)), minute: Number(text.slice(3)) }))
    .describe(what);
/** How often a job runs: the shortest worth a queue, and at least once a day. */
const cadence = (fallback: string, what: string) =>
  duration(fallback, what).refine(
    (everyMs) => everyMs >= MIN_CADENCE_MS && everyMs <= MAX_CADENCE_MS,
    `a cadence from ${MIN_CADENCE_MS} ms to 24 hours`,
  );
const secret = (what: string) => z.string().min(32, 'at least 32 characters').describe(what);

function durationMs(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  const part = (unit: string) => Number(new RegExp(`(\\d+)${unit}`).exec(text)?.[1] ?? 0);
  return (part('H') * 3600 + part('M') * 60 + part('S')) * 1000;
}

export const CONFIG_SECTIONS = {
  process: z.object({
    HOLDFAST_PROFILE: z
      .enum(['demo', 'test', 'production'])
      .default('production')
      .describe('demo and test allow demo accounts and short limits'),
    PORT: count(3000, 0, 65535, 'port of shop and console'),
    INTERNAL_PORT: count(3001, 0, 65535, 'port of /healthz, /readyz and /metrics, loopback only'),
    PUBLIC_URL: z
      .url()
      .default('http://localhost:3000')
      .describe('address shoppers use; mutations from another origin are refused'),
    HOLDFAST_STOP_AT: z
      .string()
      .optional()
      .describe('test profile only: point:action or point:action:passes, where the action is kill, freeze or wait-ms'),
    LOG_LEVEL: z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
      .default('info')
      .describe('least severe level that is logged'),
  }),
  stores: z.object({
    DATABASE_URL: z
      .string()
      .regex(/^postgres(ql)?:\/\//)
      .describe('PostgreSQL address'),
    REDIS_URL: z
      .string()
      .regex(/^rediss?:\/\//)
      .describe('Redis address; version 7 or newer, noeviction, no cluster'),
    KAFKA_BROKERS: z.string().min(1).describe('Kafka brokers, host:port separated by commas'),
    DATABASE_HOT_CONNECTIONS: count(8, 1, 64, 'connections for order commits, payments and ledger work of one process'),
    DATABASE_READ_CONNECTIONS: count(4, 1, 64, 'connections for reads of one process'),
    KAFKA_PREFIX: z
      .string()
      .regex(/^[A-Za-z0-9._-]{0,64}$/)
      .default('')
      .describe('put before topic and group names, where several installations share a broker'),
    KAFKA_PARTITIONS: count(6, 1, 1000, 'partitions of each topic; a changed count is refused at start'),
  }),
  secrets: z.object({
    PAYMENT_WEBHOOK_SECRET: secret('signs payment notices'),
    PAYMENT_WEBHOOK_SECRET_PREVIOUS: secret('still accepted while secrets rotate').optional(),
    BETTER_AUTH_SECRET: secret('signs operator sessions'),
    BUYER_COOKIE_SECRET: secret('signs the guest buyer cookie'),
  }),
  payment: z.object({
    PAYMENT_PROVIDER: z
      .enum(['demo', 'stripe'])
      .default('demo')
      .describe('who takes the money; demo takes none and is refused in production'),
    STRIPE_SECRET_KEY: z.string().min(8).optional().describe('key of the Stripe account; needed with stripe'),
    STRIPE_PAY_PAGE_URL: z
      .url()
      .optional()
      .describe('page with the payment form; gets payment_intent and payment_intent_client_secret; needed with stripe'),
    STRIPE_API_URL: z.url().default('https://api.stripe.com').describe('where the API of Stripe answers'),
  }),
  order: z.object({
    ORDER_PAYMENT_TIMEOUT_SECONDS: count(900, 5, 86_400, 'time to pay'),
    ORDER_PAYMENT_EXTENSION_SECONDS: count(300, 1, 86_400, 'what the one extension adds to the time to pay'),
    ORDER_AUTO_RECEIVE_TIMEOUT_SECONDS: count(604_800, 5, 31_536_000, 'a shipped order counts as received after this'),
    ORDER_IDEMPOTENCY_TTL_SECONDS: count(
      600,
      1,
      86_400,
      'how long Redis remembers an answer; the database remembers for ever',
    ),
    ORDER_IDEMPOTENCY_FAIL_ON_REDIS_ERROR: flag(
      false,
      'true: while Redis is away, refuse also orders whose goods need no gate',
    ),
    ORDER_OPEN_LIMIT: count(5, 1, 1000, 'unpaid orders a buyer may have at once'),
    ORDER_REQUEST_LIMIT_MS: count(5000, 100, 60_000, 'longest time of one order request'),
    ORDER_COMMIT_WINDOW_MS: count(3, 0, 50, 'how long the group commit waits for more orders'),
    ORDER_SCHEDULER_PAYMENT_TIMEOUT_INTERVAL: cadence('60000', 'cadence of order.time-out'),
    ORDER_OUTBOX_POLL_INTERVAL: cadence('1000', 'cadence of outbox.publish'),
    ORDER_OUTBOX_BATCH_SIZE: count(5000, 1, 50_000, 'outbox rows the relay claims at once'),
    // Inbox rows live for 14 days and outlive it (P34): an event without its mark would be sent and applied again.
    ORDER_OUTBOX_RETENTION_DAYS: count(7, 1, 12, 'days a sent outbox row is kept'),
    ORDER_PROMOTION_COMMIT_ASYNC_ENABLED: flag(false, 'lock a coupon by message after the order is placed'),
    ORDER_PROMOTION_PENDING_TIMEOUT_SECONDS: count(
      30,
      1,
      3600,
      'an order whose coupon is not locked by then is cancelled',
    ),
    ORDER_PROMOTION_PENDING_TIMEOUT_BATCH_SIZE: count(200, 1, 10_000, 'orders promotion.time-out cancels in one batch'),
    ORDER_PROMOTION_PENDING_TIMEOUT_CHECK_MS: count(
      10_000,
      MIN_CADENCE_MS,
      MAX_CADENCE_MS,
      'cadence of promotion.time-out',
    ),
  }),
  gate: z.object({
    GATE_COMMAND_TIMEOUT_MS: count(500, 10, 10_000, 'longest wait for one gate command'),
    INVENTORY_UNCOMMIT_CLEANUP_TIMEOUT: duration('PT30M', 'an unproven ghost hold older than this is an incident'),
    INVENTORY_UNCOMMIT_CLEANUP_PROOF_AGE: duration('PT60S', 'the ghost sweep looks at holds older than this'),
  }),
  inventory: z.object({
    INVENTORY_RECONCILIATION_ENABLED: flag(true, 'run reconcile'),
    INVENTORY_RECONCILIATION_FIXED_DELAY: cadence('PT10M', 'cadence of reconcile'),
    INVENTORY_RESERVATION_EXPIRY_ENABLED: flag(true, 'run reservation.expire'),
    INVENTORY_RESERVATION_EXPIRY_FIXED_DELAY: cadence('PT1M', 'cadence of reservation.expire'),
    INVENTORY_RESERVATION_EXPIRY_DEFAULT_MINUTES: count(
      15,
      1,
      10_080,
      'deadline of a reservation that belongs to no order yet, which only a waitlist makes; an order has ORDER_PAYMENT_TIMEOUT_SECONDS',
    ),
    INVENTORY_KAFKA_CONSUMER_RETRY_MAX_ATTEMPTS: count(5, 1, 100, 'attempts of a failing message before it is dead'),
    INVENTORY_KAFKA_CONSUMER_DLT_ENABLED: flag(true, 'send a dead message to the topic .DLT as well'),
    INVENTORY_KAFKA_CONSUMER_RETRY_BACKOFF_INITIAL_MS: count(
      500,
      1,
      60_000,
      'first wait of a failing message, and of a consumer while a server is away',
    ),
    INVENTORY_KAFKA_CONSUMER_RETRY_BACKOFF_MULTIPLIER: z.coerce
      .number()
      .min(1)
      .max(10)
      .default(2)
      .describe('growth of that wait from try to try'),
    INVENTORY_KAFKA_CONSUMER_RETRY_BACKOFF_MAX_MS: count(10_000, 1, 600_000, 'longest wait between two tries'),
  }),
  jobs: z.object({
    JOB_GATE_EFFECTS_INTERVAL: cadence('PT1S', 'cadence of gate.effects'),
    JOB_GATE_WATCH_INTERVAL: cadence('PT1S', 'cadence of gate.watch'),
    JOB_STREAM_RETRY_INTERVAL: cadence('PT1S', 'cadence of stream.retry'),
    JOB_GATE_SWEEP_GHOST_HOLDS_INTERVAL: cadence(
      'PT1M',
      'cadence of gate.sweep-ghost-holds; never rarer than INVENTORY_UNCOMMIT_CLEANUP_PROOF_AGE',
    ),
    JOB_GATE_FINISH_SWITCH_INTERVAL: cadence('PT10S', 'cadence of gate.finish-switch'),
    JOB_PAYMENT_JUDGE_INTERVAL: cadence('PT5S', 'cadence of payment.judge'),
    JOB_PAYMENT_LATE_MONEY_INTERVAL: cadence('PT5S', 'cadence of payment.late-money'),
    JOB_PAYMENT_SEND_REFUNDS_INTERVAL: cadence('PT5S', 'cadence of payment.send-refunds'),
    JOB_PAYMENT_UNMATCHED_INTERVAL: cadence('PT1M', 'cadence of payment.unmatched'),
    JOB_PAYMENT_COMPARE_INTERVAL: cadence('PT1H', 'cadence of payment.compare'),
    JOB_DEMO_PROVIDER_DELIVER_INTERVAL: cadence('PT1S', 'cadence of demo-provider.deliver'),
    JOB_ORDER_AUDIT_INTERVAL: cadence('PT10M', 'cadence of order.audit'),
    JOB_ORDER_AUTO_RECEIVE_INTERVAL: cadence('PT1H', 'cadence of order.auto-receive'),
    JOB_OUTBOX_CLEAN_UP_AT: timeOfDay('03:00', 'when outbox.clean-up runs each day, in the time zone of the worker'),
  }),
} as const;

export type Config = { [S in keyof typeof CONFIG_SECTIONS]: z.output<(typeof CONFIG_SECTIONS)[S]> };
