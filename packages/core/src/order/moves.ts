/**
 * Which moves after the order a state allows, and the sentence for each that it refuses (C25). One table for everybody:
 * the commands judge by it under their locks, and pages turn a button off by it and say why. Pure.
 */
import { type Failure, type FailureCode, refuse, type ShopOrderStatus, type TradeStatus } from '../domain/index.ts';

export type TradeMove = 'cancel' | 'closeAndRefund' | 'refund';
export type ShopOrderMove = 'ship' | 'receive' | 'return';
type Answer = null | readonly [FailureCode, string];

const CLOSED: Answer = ['ALREADY_CLOSED', 'This order is closed already.'];
const ENDED: Answer = ['ALREADY_CLOSED', 'The time to pay was over; the order has ended and its items are free again.'];
const REFUNDED: Answer = ['ALREADY_CLOSED', 'This order has been refunded.'];
const PAID: Answer = ['ALREADY_PAID', 'This order is paid; refund it instead.'];
const UNPAID: Answer = ['WRONG_STATE', 'This order is not paid; cancel it instead.'];
const BOOKING: Answer = [
  'WRONG_STATE',
  'The payment is still being booked; wait for it, or close and refund the order.',
];
const BOUGHT_NOTHING: Answer = ['WRONG_STATE', 'This order is closed; money that came for it goes back by itself.'];

/** null = allowed. EXPIRED is UNPAID past its time (P24). */
export const TRADE_MOVES: Record<TradeStatus | 'EXPIRED', Record<TradeMove, Answer>> = {
  UNPAID: { cancel: null, closeAndRefund: null, refund: UNPAID },
  EXPIRED: { cancel: ENDED, closeAndRefund: ENDED, refund: BOUGHT_NOTHING },
  PAID_PENDING: { cancel: PAID, closeAndRefund: null, refund: BOOKING },
  PAID: { cancel: PAID, closeAndRefund: PAID, refund: null },
  SHIPPED: { cancel: PAID, closeAndRefund: PAID, refund: null },
  RECEIVED: { cancel: PAID, closeAndRefund: PAID, refund: null },
  CLOSED: { cancel: CLOSED, closeAndRefund: CLOSED, refund: BOUGHT_NOTHING },
  // Units may come back after their money went; what is left of the money judges the rest (P31).
  REFUNDED: { cancel: REFUNDED, closeAndRefund: REFUNDED, refund: null },
};

const NOT_PAID: Answer = ['WRONG_STATE', 'Only a paid order can be shipped.'];
const NOT_SHIPPED: Answer = ['WRONG_STATE', 'This order has not been shipped yet.'];
const MONEY_BACK: Answer = ['WRONG_STATE', 'This order has been refunded.'];
const BEFORE_SHIPPING = { ship: NOT_PAID, receive: NOT_SHIPPED, return: NOT_SHIPPED };

/** Shipping what is shipped and receiving what is received changes nothing and succeeds; pages show no button for it. */
export const SHOP_ORDER_MOVES: Record<ShopOrderStatus, Record<ShopOrderMove, Answer>> = {
  RESERVING: BEFORE_SHIPPING,
  RESERVED: BEFORE_SHIPPING,
  CONFIRMING: BEFORE_SHIPPING,
  CONFIRMED: { ship: null, receive: NOT_SHIPPED, return: NOT_SHIPPED },
  SHIPPED: { ship: ['WRONG_STATE', 'This order is on its way already.'], receive: null, return: null },
  RECEIVED: {
    ship: ['WRONG_STATE', 'This order has arrived already.'],
    receive: ['WRONG_STATE', 'This order is marked as received already.'],
    return: null,
  },
  RELEASING: BEFORE_SHIPPING,
  RELEASED: BEFORE_SHIPPING,
  REFUNDED: { ship: MONEY_BACK, receive: MONEY_BACK, return: MONEY_BACK },
};

export function refuseMove(answer: Answer, tradeId: string): Failure | undefined {
  return answer ? refuse(answer[0], answer[1], { tradeId }) : undefined;
}

type Sentences<M extends string> = Record<M, string | null>;

/** For pages: null where the move is allowed, else why not. */
export function sentencesOf<M extends string>(moves: Record<M, Answer>): Sentences<M> {
  return Object.fromEntries(
    Object.entries<Answer>(moves).map(([move, answer]) => [move, answer?.[1] ?? null]),
  ) as Sentences<M>;
}
