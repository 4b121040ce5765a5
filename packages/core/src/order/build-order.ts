/** The rows and events of one order attempt, with ids minted for this attempt alone (P13). */
import { type EventType, type Minor, mint, sum, topicOf } from '../domain/index.ts';
import type { Hold } from '../gate/index.ts';
import type { PlaceOrderInput } from './order-input.ts';
import type { PricedLine } from './price-lines.ts';

export interface PreparedOrder {
  readonly buyerId: string;
  readonly input: PlaceOrderInput;
  readonly fingerprint: string;
  readonly traceId: string;
  readonly lines: readonly PricedLine[];
  readonly currency: string;
  /** The request ends by then (performance.now()); no work is begun for it after that. */
  readonly deadline: number;
}

export interface AttemptLine extends Hold {
  readonly shopOrderId: string;
  readonly name: string;
  readonly unitPriceMinor: number;
  readonly lineMinor: Minor;
}

export interface OrderAttempt {
  readonly tradeId: string;
  readonly intentId: string;
  readonly totalMinor: Minor;
  readonly shopOrders: readonly {
    readonly id: string;
    readonly shopId: string;
    readonly lines: readonly AttemptLine[];
  }[];
}

/** Shop orders in sorted shop order: every order takes its shops in the same sequence. */
export function buildAttempt(order: PreparedOrder): OrderAttempt {
  const byShop = Map.groupBy(order.lines, (line) => line.shopId);
  const shopOrders = [...byShop.keys()].sort().map((shopId) => {
    const id = mint<'ShopOrderId'>();
    const lines = (byShop.get(shopId) ?? []).map((line) => ({
      ...line,
      shopOrderId: id,
      reservationId: mint<'ReservationId'>(),
    }));
    return { id, shopId, lines };
  });
  return { tradeId: mint(), intentId: mint(), totalMinor: sum(order.lines.map((line) => line.lineMinor)), shopOrders };
}

export interface CommitOrder {
  readonly order: PreparedOrder;
  readonly attempt: OrderAttempt;
  readonly epoch: number;
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
    ...attempt.shopOrders.map((so) =>
      row('INVENTORY_RESERVE_DB', so.id, {
        tradeId,
        shopOrderId: so.id,
        lines: so.lines.map(({ reservationId, shopId, skuId, quantity }) => ({
          reservationId,
          shopId,
          skuId,
          quantity,
        })),
      }),
    ),
    row('TRADE_CREATED', tradeId, { ...trade, totalMinor: attempt.totalMinor, currency: order.currency }),
    row('ORDER_CREATED', tradeId, { ...trade, shopOrderIds: attempt.shopOrders.map((so) => so.id) }),
    row('PAYMENT_INTENT_CREATED', tradeId, { ...trade, intentId: attempt.intentId }),
  ];
}

/** The four arguments of tinystore_order.commit_orders for a batch; `ord` ties their rows together. */
export function commitArguments(batch: readonly CommitOrder[]): [string, string, string, string] {
  const orders = batch.map(({ order, attempt, epoch }, ord) => ({
    ord,
    trade_id: attempt.tradeId,
    intent_id: attempt.intentId,
    buyer_id: order.buyerId,
    key: order.input.key,
    fingerprint: order.fingerprint,
    cart_id: order.input.cartId,
    currency: order.currency,
    total_minor: attempt.totalMinor,
    email: order.input.email,
    ship_to: order.input.shipTo,
    epoch,
  }));
  const shopOrders = batch.flatMap(({ attempt }, ord) =>
    attempt.shopOrders.map((so) => ({
      ord,
      id: so.id,
      shop_id: so.shopId,
      subtotal_minor: sum(so.lines.map((l) => l.lineMinor)),
    })),
  );
  const lines = batch.flatMap(({ attempt, generations }, ord) =>
    attempt.shopOrders.flatMap((so) =>
      so.lines.map((l) => ({
        ord,
        shop_order_id: so.id,
        shop_id: l.shopId,
        sku_id: l.skuId,
        name: l.name,
        quantity: l.quantity,
        unit_price_minor: l.unitPriceMinor,
        reservation_id: l.reservationId,
        generation: generations.get(l.reservationId),
      })),
    ),
  );
  const events = batch.flatMap((one, ord) => eventsOf(one).map((event) => ({ ord, ...event })));
  return [JSON.stringify(orders), JSON.stringify(shopOrders), JSON.stringify(lines), JSON.stringify(events)];
}
