/**
 * What a buyer may send to place an order: parsed once, lines of one SKU summed before anything is taken (C04), and
 * reduced to a fingerprint so that one idempotency key can stand for one body only (P22).
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  CODE_PATTERN,
  type Failure,
  MAX_LINES_AN_ORDER,
  MAX_MINOR,
  MAX_UNITS_A_LINE,
  refuse,
  UUID_PATTERN,
} from '../domain/index.ts';

const code = z.string().regex(CODE_PATTERN, '1 to 64 of A-Z a-z 0-9 . _ -');
// PostgreSQL stores neither a NUL nor half a surrogate; no address has a control character.
const CONTROL_CHARACTER = /\p{Cc}/u;
const isReadable = (value: string) => value.isWellFormed() && !CONTROL_CHARACTER.test(value);
const text = (max: number) => z.string().trim().min(1).max(max).refine(isReadable, 'readable text');

export const shipToInput = z.object({
  name: text(120),
  line1: text(200),
  line2: text(200).optional(),
  postcode: text(20),
  city: text(120),
  country: z.string().regex(/^[A-Z]{2}$/, 'two capital letters'),
});

export const placeOrderInput = z.object({
  /** One a purchase attempt, made by the client. */
  key: z.string().regex(/^[A-Za-z0-9._-]{8,128}$/, '8 to 128 of A-Z a-z 0-9 . _ -'),
  cartId: z.string().regex(UUID_PATTERN, 'a lower-case uuid').optional(),
  lines: z
    .array(
      z.object({
        shopId: code,
        skuId: code,
        quantity: z
          .number()
          .int('a whole number')
          .min(1, 'at least 1')
          .max(MAX_UNITS_A_LINE, `at most ${MAX_UNITS_A_LINE}`),
        /** The price the buyer saw, in minor units; another one is PRICE_CHANGED. */
        unitPriceMinor: z.number().int().min(1).max(MAX_MINOR),
      }),
    )
    .min(1, 'at least one line')
    .max(MAX_LINES_AN_ORDER, `at most ${MAX_LINES_AN_ORDER} lines`),
  coupon: code.optional(),
  email: z.email().max(254).refine(isReadable, 'readable text').optional(),
  shipTo: shipToInput.optional(),
});

export type PlaceOrderInput = z.infer<typeof placeOrderInput>;
export type OrderLineInput = PlaceOrderInput['lines'][number];

/** Parses raw input; the refusal names the first field that is wrong. */
export function parsePlaceOrder(input: unknown): { kind: 'parsed'; value: PlaceOrderInput } | Failure {
  const result = placeOrderInput.safeParse(input);
  if (result.success) return { kind: 'parsed', value: result.data };
  const issue = result.error.issues[0];
  const field = issue?.path.join('.') || 'body';
  return refuse('INVALID_INPUT', `${field}: ${issue?.message ?? 'not readable'}`, { field });
}

/** Sums lines of the same SKU, in a fixed order, and refuses sums past the line limit. */
export function sumLines(lines: readonly OrderLineInput[]): { kind: 'summed'; lines: OrderLineInput[] } | Failure {
  const bySku = new Map<string, OrderLineInput>();
  for (const line of lines) {
    const id = `${line.shopId}/${line.skuId}`;
    const before = bySku.get(id);
    if (before && before.unitPriceMinor !== line.unitPriceMinor)
      return refuse('INVALID_INPUT', `two prices for ${id}`, { field: 'lines' });
    bySku.set(id, before ? { ...before, quantity: before.quantity + line.quantity } : line);
  }
  const summed = [...bySku.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
  const over = summed.find((line) => line.quantity > MAX_UNITS_A_LINE);
  if (over)
    return refuse('LIMIT_EXCEEDED', `at most ${MAX_UNITS_A_LINE} units of one SKU in an order`, { field: 'lines' });
  return { kind: 'summed', lines: summed };
}

/** Equal for equal bodies, whatever the order of lines; the key itself is not part of it. */
export function fingerprintOf(input: PlaceOrderInput, lines: readonly OrderLineInput[]): string {
  const body = [
    input.cartId ?? '',
    input.email ?? '',
    input.shipTo ? Object.entries(input.shipTo).sort() : '',
    lines.map((line) => [line.shopId, line.skuId, line.quantity, line.unitPriceMinor]),
    ...(input.coupon ? [input.coupon] : []),
  ];
  return createHash('sha256').update(JSON.stringify(body)).digest('base64url');
}
