/** Door of the domain: words, rules and values; imports nothing of ours. */
export * from './events.ts';
export { FAILURES, type Failure, type FailureCode, isRefused, type LineLeft, refuse } from './failures.ts';
export { freeUnits, gateCapacity, gateDeducted, type LedgerFigures } from './formula.ts';
export {
  type BuyerId,
  buyerId,
  type CartId,
  CODE_PATTERN,
  cartId,
  type EventId,
  eventId,
  InvalidValue,
  MAX_LINES_AN_ORDER,
  MAX_STOCK,
  MAX_UNITS_A_LINE,
  mint,
  type PaymentIntentId,
  paymentIntentId,
  type Quantity,
  quantity,
  type ReservationId,
  reservationId,
  type ShopId,
  type ShopOrderId,
  type SkuId,
  shopId,
  shopOrderId,
  skuId,
  type TradeId,
  tradeId,
  UUID_PATTERN,
  type Uuid,
} from './ids.ts';
export { MAX_MINOR, type Minor, minorDigits, minorUnits, parseMoney, plainMoney, sum, times } from './money.ts';
export {
  checkTransitions,
  PAYMENT_INTENT,
  type PaymentIntentStatus,
  RESERVATION,
  type ReservationStatus,
  SHOP_ORDER,
  type ShopOrderStatus,
  sourcesOf,
  TRADE,
  type TradeStatus,
} from './transitions.ts';
