/**
 * Branded ids and quantities. Each is made by one parser here and nowhere else, so a value of one of these
 * types has passed its check. Case-sensitive, never trimmed: look-alikes are refused at the edge (C52).
 */
import { randomFillSync } from 'node:crypto';
import { v7 as uuidv7, validate } from 'uuid';

declare const brand: unique symbol;
type Brand<T, B extends string> = T & { readonly [brand]: B };

export type ShopId = Brand<string, 'ShopId'>;
export type SkuId = Brand<string, 'SkuId'>;
export type Quantity = Brand<number, 'Quantity'>;
export type Uuid<B extends string> = Brand<string, B>;
export type TradeId = Uuid<'TradeId'>;
export type ShopOrderId = Uuid<'ShopOrderId'>;
export type ReservationId = Uuid<'ReservationId'>;
export type BuyerId = Uuid<'BuyerId'>;
export type CartId = Uuid<'CartId'>;
export type PaymentIntentId = Uuid<'PaymentIntentId'>;
export type EventId = Uuid<'EventId'>;

/** Design section 5: no separator of a gate key can be part of an id. */
export const CODE_PATTERN = /^[A-Za-z0-9._-]{1,64}$/;
/** Lower case only: one id has one spelling, also as a Redis member. */
export const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export const MAX_UNITS_A_LINE = 9_999;
export const MAX_LINES_AN_ORDER = 50;
/** Units of one SKU that may ever be put in: T stays an exact integer in Lua, SQL and JavaScript. */
export const MAX_STOCK = 999_999_999_999;

export class InvalidValue extends Error {
  override readonly name = 'InvalidValue';
}

function code<B extends string>(what: string) {
  return (text: string): Brand<string, B> => {
    if (!CODE_PATTERN.test(text)) throw new InvalidValue(`${what} must be 1 to 64 of A-Z a-z 0-9 . _ -`);
    return text as Brand<string, B>;
  };
}

function uuid<B extends string>(what: string) {
  return (text: string): Uuid<B> => {
    if (!UUID_PATTERN.test(text) || !validate(text)) throw new InvalidValue(`${what} must be a lower-case uuid`);
    return text as Uuid<B>;
  };
}

export const shopId = code<'ShopId'>('shop id');
export const skuId = code<'SkuId'>('SKU');
export const tradeId = uuid<'TradeId'>('trade id');
export const shopOrderId = uuid<'ShopOrderId'>('shop order id');
export const reservationId = uuid<'ReservationId'>('reservation id');
export const buyerId = uuid<'BuyerId'>('buyer id');
export const cartId = uuid<'CartId'>('cart id');
export const paymentIntentId = uuid<'PaymentIntentId'>('payment intent id');
export const eventId = uuid<'EventId'>('event id');

/** Units of one order line: a whole number from 1 to 9 999. */
export function quantity(units: number): Quantity {
  if (!Number.isSafeInteger(units) || units < 1 || units > MAX_UNITS_A_LINE)
    throw new InvalidValue(`quantity must be a whole number from 1 to ${MAX_UNITS_A_LINE}`);
  return units as Quantity;
}

// Randomness is drawn from the system for a few hundred ids at once: one draw an id took a tenth of an order's time.
const pool = Buffer.alloc(16 * 256);
let drawn = pool.length;
let lastMs = 0;
let sequence = 0;

/**
 * Mints a time-ordered id (uuid v7), each greater than the one before it in this process. A reservation id is minted
 * for one take and never sent twice (P13).
 */
export function mint<B extends string>(): Uuid<B> {
  if (drawn === pool.length) {
    randomFillSync(pool);
    drawn = 0;
  }
  const random = pool.subarray(drawn, drawn + 16);
  drawn += 16;
  const now = Date.now();
  sequence = now > lastMs ? random.readUInt32BE(0) >>> 1 : sequence + 1;
  lastMs = Math.max(lastMs, now);
  return uuidv7({ msecs: lastMs, seq: sequence, random }) as Uuid<B>;
}
