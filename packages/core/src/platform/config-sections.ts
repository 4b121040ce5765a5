/**
 * Every configuration variable, by owner: name, type, limits, default and meaning. `.env.example` and
 * docs/configuration.md are generated from this file.
 */
import { z } from 'zod';

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
      .describe(
        'test profile only, read by the shop: point:action or point:action:passes, where the action is kill, freeze or wait-ms',
      ),
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
  order: z.object({
    ORDER_PAYMENT_TIMEOUT_SECONDS: count(900, 5, 86_400, 'time to pay'),
    ORDER_IDEMPOTENCY_TTL_SECONDS: count(
      600,
      1,
      86_400,
      'how long Redis remembers an answer; the database remembers for ever',
    ),
    ORDER_OPEN_LIMIT: count(5, 1, 1000, 'unpaid orders a buyer may have at once'),
    ORDER_REQUEST_LIMIT_MS: count(5000, 100, 60_000, 'longest time of one order request'),
    ORDER_COMMIT_WINDOW_MS: count(3, 0, 50, 'how long the group commit waits for more orders'),
    ORDER_SCHEDULER_PAYMENT_TIMEOUT_INTERVAL: duration('60000', 'cadence of order.time-out'),
    ORDER_OUTBOX_POLL_INTERVAL: duration('1000', 'cadence of outbox.publish'),
    ORDER_OUTBOX_BATCH_SIZE: count(5000, 1, 50_000, 'outbox rows the relay claims at once'),
    ORDER_OUTBOX_RETENTION_DAYS: count(7, 1, 365, 'days a sent outbox row is kept'),
  }),
  gate: z.object({
    GATE_COMMAND_TIMEOUT_MS: count(500, 10, 10_000, 'longest wait for one gate command'),
    INVENTORY_UNCOMMIT_CLEANUP_TIMEOUT: duration('PT30M', 'an unproven ghost hold older than this is an incident'),
    INVENTORY_UNCOMMIT_CLEANUP_PROOF_AGE: duration('PT60S', 'the ghost sweep looks at holds older than this'),
  }),
  inventory: z.object({
    INVENTORY_RECONCILIATION_ENABLED: flag(true, 'run reconcile'),
    INVENTORY_RECONCILIATION_FIXED_DELAY: duration('PT10M', 'cadence of reconcile'),
    INVENTORY_RESERVATION_EXPIRY_ENABLED: flag(true, 'run reservation.expire'),
    INVENTORY_RESERVATION_EXPIRY_FIXED_DELAY: duration('PT1M', 'cadence of reservation.expire'),
    INVENTORY_KAFKA_CONSUMER_RETRY_BACKOFF_INITIAL_MS: count(
      500,
      1,
      60_000,
      'first wait of a consumer while a server is away',
    ),
    INVENTORY_KAFKA_CONSUMER_RETRY_BACKOFF_MULTIPLIER: z.coerce
      .number()
      .min(1)
      .max(10)
      .default(2)
      .describe('growth of that wait from try to try'),
    INVENTORY_KAFKA_CONSUMER_RETRY_BACKOFF_MAX_MS: count(10_000, 1, 600_000, 'longest wait between two tries'),
  }),
} as const;

export type Config = { [S in keyof typeof CONFIG_SECTIONS]: z.output<(typeof CONFIG_SECTIONS)[S]> };
