/**
 * Event types and payloads (design section 7), parsed with the same schema when appended and when read; a test
 * parses those of a new order, which the commit function writes (decision 0003). An event about units names reservation ids, never "the order" (P28), so a late copy cannot touch a newer attempt.
 */
import { z } from 'zod';
import { CODE_PATTERN, MAX_LINES_AN_ORDER, MAX_UNITS_A_LINE, UUID_PATTERN } from './ids.ts';

export const ORDER_TOPIC = 'tinystore.order.general';
export const INVENTORY_TOPIC = 'tinystore.inventory.general';

const id = z.string().regex(UUID_PATTERN);
const code = z.string().regex(CODE_PATTERN);
const instant = z.iso.datetime({ offset: true });

export const reservedLine = z.object({
  reservationId: id,
  shopId: code,
  skuId: code,
  quantity: z.number().int().min(1).max(MAX_UNITS_A_LINE),
});
export type ReservedLine = z.infer<typeof reservedLine>;

const shopOrder = z.object({
  tradeId: id,
  shopOrderId: id,
  lines: z.array(reservedLine).min(1).max(MAX_LINES_AN_ORDER),
  payUntil: instant.optional(),
});
/** A message that was given up, for whoever reads the dead-letter topics; `body` as it came, cut when it is long. */
const deadLetter = z.object({
  consumer: z.string(),
  eventId: id,
  type: z.string(),
  topic: z.string(),
  partition: z.number().int(),
  offset: z.number().int(),
  key: z.string(),
  reason: z.string(),
  attempts: z.number().int(),
  body: z.string(),
});
const trade = z.object({ tradeId: id, buyerId: id, payUntil: instant.optional() });

const promotion = z.object({ tradeId: id, couponCode: code, payUntil: instant.optional() });

export const EVENT_SCHEMAS = {
  INVENTORY_RESERVE_DB: shopOrder.extend({ payUntil: instant }),
  INVENTORY_CONFIRM: shopOrder,
  INVENTORY_RELEASE: shopOrder.extend({ reason: z.string().min(1) }),
  INVENTORY_RESERVED: shopOrder,
  INVENTORY_RESERVE_REJECTED: shopOrder.extend({ short: z.array(code).min(1) }),
  INVENTORY_CONFIRMED: shopOrder,
  INVENTORY_CONFIRM_CONFLICT: shopOrder,
  INVENTORY_RELEASED: shopOrder,
  TRADE_CREATED: trade.extend({ totalMinor: z.number().int(), currency: z.string() }),
  ORDER_CREATED: trade.extend({ shopOrderIds: z.array(id).min(1) }),
  PAYMENT_INTENT_CREATED: trade.extend({ intentId: id }),
  TRADE_PAID: trade,
  TRADE_CLOSED: trade.extend({ reason: z.string().min(1) }),
  ORDER_DEAD_LETTER: deadLetter,
  INVENTORY_DEAD_LETTER: deadLetter,
  ORDER_SHIPPED: trade.extend({ shopOrderId: id }),
  ORDER_RECEIVED: trade.extend({ shopOrderId: id }),
  /** `units` came back with this money; money without units, or for an order that had closed, names none (P23). */
  REFUND_SUCCEEDED: trade.extend({
    refundId: id,
    shopOrderId: id.nullable(),
    amountMinor: z.number().int().min(1),
    currency: z.string(),
    cause: z.string().min(1),
    units: z.array(z.object({ shopId: code, skuId: code, quantity: z.number().int().min(1).max(MAX_UNITS_A_LINE) })),
  }),
  PROMOTION_LOCK: promotion,
  PROMOTION_COMMIT: promotion,
  PROMOTION_RELEASE: promotion,
  PROMOTION_LOCKED: promotion,
  PROMOTION_REJECTED: promotion,
} as const;

export type EventType = keyof typeof EVENT_SCHEMAS;
export type EventPayload<T extends EventType> = z.infer<(typeof EVENT_SCHEMAS)[T]>;

const FROM_LEDGER: readonly EventType[] = [
  'INVENTORY_RESERVED',
  'INVENTORY_RESERVE_REJECTED',
  'INVENTORY_CONFIRMED',
  'INVENTORY_CONFIRM_CONFLICT',
  'INVENTORY_RELEASED',
];

export const DEAD_LETTER_SUFFIX = '.DLT';

export function topicOf(type: EventType): string {
  if (type === 'ORDER_DEAD_LETTER') return `${ORDER_TOPIC}${DEAD_LETTER_SUFFIX}`;
  if (type === 'INVENTORY_DEAD_LETTER') return `${INVENTORY_TOPIC}${DEAD_LETTER_SUFFIX}`;
  return FROM_LEDGER.includes(type) ? INVENTORY_TOPIC : ORDER_TOPIC;
}

export function isEventType(type: string): type is EventType {
  return Object.hasOwn(EVENT_SCHEMAS, type);
}

/** What travels in a Kafka message, as JSON. */
export const envelopeSchema = z.object({
  id,
  type: z.string(),
  version: z.literal(1),
  key: z.string().min(1).max(128),
  occurredAt: instant,
  traceId: z.string().max(64),
  payload: z.unknown(),
});
export type Envelope = z.infer<typeof envelopeSchema>;

export type IncomingEvent = {
  [T in EventType]: { id: string; type: T; key: string; traceId: string; occurredAt: string; payload: EventPayload<T> };
}[EventType];
