/** A batch of orders as the arguments of tinystore_order.commit_orders: rows and events; `ord` ties them together. */
import { type EventType, mint, sum, topicOf } from '../domain/index.ts';
import { type AttemptLine, isAtGate, linesOf, type OrderAttempt, type PreparedOrder } from './build-order.ts';

export interface CommitOrder {
  readonly order: PreparedOrder;
  readonly attempt: OrderAttempt;
  /** The epoch that the takes answered; undefined without a line at the gate. */
  readonly epoch: number | undefined;
  /** By reservation id: the generation the take answered (P11). */
  readonly generations: ReadonlyMap<string, number>;
}

interface NewEventRow {
  event_id: string;
  type: EventType;
  topic: string;
  key: string;
  trace_id: string;
  payload: object;
}

/** Orders, shop orders, lines, events, and whether one of the orders needs more than a gate can give. */
export function commitArguments(batch: readonly CommitOrder[]): [string, string, string, string, boolean] {
  const orders = batch.map(orderRow);
  const shopOrders = batch.flatMap(({ attempt }, ord) => attempt.shopOrders.map((so) => shopOrderRow(so, ord)));
  const lines = batch.flatMap(({ attempt, generations }, ord) =>
    linesOf(attempt).map((line) => lineRow(line, ord, generations.get(line.reservationId))),
  );
  const events = batch.flatMap((one, ord) => eventsOf(one).map((event) => ({ ord, ...event })));
  return [
    JSON.stringify(orders),
    JSON.stringify(shopOrders),
    JSON.stringify(lines),
    JSON.stringify(events),
    batch.some(isWide),
  ];
}

function isWide({ order, attempt }: CommitOrder): boolean {
  return order.coupon !== undefined || linesOf(attempt).some((line) => !isAtGate(line) || line.buyerLimited);
}

function orderRow({ order, attempt, epoch }: CommitOrder, ord: number) {
  const { coupon, input } = order;
  return {
    ord,
    trade_id: attempt.tradeId,
    intent_id: attempt.intentId,
    buyer_id: order.buyerId,
    key: input.key,
    fingerprint: order.fingerprint,
    cart_id: input.cartId,
    currency: order.currency,
    total_minor: attempt.totalMinor,
    email: input.email,
    ship_to: input.shipTo,
    epoch,
    ...(coupon && { coupon: coupon.code, discount_minor: coupon.discountMinor, remote: coupon.remote }),
  };
}

function shopOrderRow({ id, shopId, lines }: OrderAttempt['shopOrders'][number], ord: number) {
  const discount = sum(lines.map((line) => line.discountMinor));
  return {
    ord,
    id,
    shop_id: shopId,
    status: lines.some(isAtGate) ? 'RESERVING' : 'RESERVED',
    subtotal_minor: sum(lines.map((line) => line.lineMinor)) - discount,
    ...(discount > 0 && { discount_minor: discount }),
  };
}

function lineRow(line: AttemptLine, ord: number, generation: number | undefined) {
  return {
    ord,
    shop_order_id: line.shopOrderId,
    shop_id: line.shopId,
    sku_id: line.skuId,
    name: line.name,
    quantity: line.quantity,
    unit_price_minor: line.unitPriceMinor,
    reservation_id: line.reservationId,
    gate_mode: line.gateMode,
    generation,
    ...(line.discountMinor > 0 && { discount_minor: line.discountMinor }),
  };
}

/** Events of the order's transaction; `payUntil` is added by the commit, which alone knows the deadline. */
function eventsOf({ order, attempt }: CommitOrder): NewEventRow[] {
  const { tradeId } = attempt;
  const row = (type: EventType, key: string, payload: object): NewEventRow => ({
    event_id: mint(),
    type,
    topic: topicOf(type),
    key,
    trace_id: order.traceId,
    payload,
  });
  const trade = { tradeId, buyerId: order.buyerId };
  return [
    ...attempt.shopOrders
      .map((so) => ({ id: so.id, lines: so.lines.filter(isAtGate) }))
      .filter((so) => so.lines.length > 0)
      .map((so) => row('INVENTORY_RESERVE_DB', so.id, { tradeId, shopOrderId: so.id, lines: so.lines.map(reserved) })),
    row('TRADE_CREATED', tradeId, { ...trade, totalMinor: attempt.totalMinor, currency: order.currency }),
    row('ORDER_CREATED', tradeId, { ...trade, shopOrderIds: attempt.shopOrders.map((so) => so.id) }),
    row('PAYMENT_INTENT_CREATED', tradeId, { ...trade, intentId: attempt.intentId }),
    ...(order.coupon?.remote ? [row('PROMOTION_LOCK', tradeId, { tradeId, couponCode: order.coupon.code })] : []),
  ];
}

const reserved = ({ reservationId, shopId, skuId, quantity }: AttemptLine) => ({
  reservationId,
  shopId,
  skuId,
  quantity,
});
