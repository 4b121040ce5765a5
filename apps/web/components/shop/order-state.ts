/** What the shop says of an order in each state: one table for its own page and for the list of orders. */
import type { Order, OrderStatus } from './types.ts';

export interface OrderWords {
  /** The state in the list. */
  readonly word: string;
  readonly title: string;
  readonly text: string;
  readonly tone: 'held' | 'confirmed' | 'released' | 'expired';
}

type OrderEnd = Pick<Order, 'status' | 'closeReason'>;

/** An order whose time ran out reads the same before and after a job has closed it (P24). */
export function shownStatus({ status, closeReason }: OrderEnd): OrderStatus {
  return status === 'CLOSED' && closeReason === 'TIMED_OUT' ? 'EXPIRED' : status;
}

/** What an end without payment says, unless a payment came after all: then its own notice says what became of it. */
const NO_CHARGE = 'Nothing was charged.';
const CHARGED = 'What became of your payment stands below.';

export function orderWords(order: OrderEnd & Partial<Pick<Order, 'payment' | 'latePayments'>>): OrderWords {
  const words = wordsOf(order);
  if (!order.latePayments?.length) return words;
  return { ...words, text: words.text.replace(NO_CHARGE, CHARGED) };
}

function wordsOf(order: OrderEnd & Partial<Pick<Order, 'payment'>>): OrderWords {
  const status = shownStatus(order);
  if (status === 'UNPAID' && order.payment?.status === 'FAILED') return DECLINED;
  return status === 'CLOSED' ? closedWords(order.closeReason) : WORDS[status];
}

const WORDS: Record<Exclude<OrderStatus, 'CLOSED'>, OrderWords> = {
  UNPAID: {
    word: 'Held, to be paid',
    title: 'Held for you',
    text: 'Your items are yours to pay until the ring has closed.',
    tone: 'held',
  },
  EXPIRED: {
    word: 'Time is over',
    title: 'The time to pay is over',
    text: `Your items went back on the shelf. ${NO_CHARGE}`,
    tone: 'expired',
  },
  PAID_PENDING: {
    word: 'Paid',
    title: 'Paid, being written down',
    text: 'Your payment has arrived. This takes a second or two.',
    tone: 'held',
  },
  PAID: {
    word: 'Paid',
    title: 'Thank you. It is yours.',
    text: 'Paid and confirmed. We are packing it.',
    tone: 'confirmed',
  },
  SHIPPED: { word: 'On its way', title: 'On its way', text: 'Your parcel has left the coast.', tone: 'confirmed' },
  RECEIVED: { word: 'Arrived', title: 'Arrived', text: 'We hope it holds for a long time.', tone: 'confirmed' },
  REFUNDED: { word: 'Refunded', title: 'Refunded', text: 'Your money has gone back to you.', tone: 'released' },
};

const DECLINED: OrderWords = {
  word: 'Held, to be paid',
  title: 'The payment was declined',
  text: 'Your items are still held for you. You can try again with the same order.',
  tone: 'held',
};

function closedWords(reason: Order['closeReason']): OrderWords {
  switch (reason) {
    case 'OVER_ADMITTED':
      return {
        word: 'Could not be kept',
        title: 'We could not keep this one',
        text: `The last of it was sold before the payment began. ${NO_CHARGE}`,
        tone: 'released',
      };
    case 'CONFIRM_CONFLICT':
      return {
        word: 'Could not be kept',
        title: 'We could not keep this one',
        text: 'What you paid will be given back to you.',
        tone: 'released',
      };
    case 'PROMOTION_REJECTED':
    case 'PROMOTION_TIMED_OUT':
      return {
        word: 'Coupon refused',
        title: 'The coupon could not be used',
        text: `Your items went back on the shelf. ${NO_CHARGE}`,
        tone: 'released',
      };
    case 'PAYMENT_RETURNED':
      return {
        word: 'Cancelled',
        title: 'Cancelled',
        text: 'Your payment was given back, and your items went back on the shelf.',
        tone: 'released',
      };
    default:
      return {
        word: 'Cancelled',
        title: 'Cancelled',
        text: `Your items went back on the shelf. ${NO_CHARGE}`,
        tone: 'released',
      };
  }
}

const MAY_CHANGE: ReadonlySet<OrderStatus> = new Set<OrderStatus>(['UNPAID', 'EXPIRED', 'PAID_PENDING']);

/** True while the page has something to wait for: the order itself, its money, or a line the ledger has not finished. */
export function mayChange(
  order: Pick<Order, 'status' | 'shopOrders' | 'latePayments'> & Partial<Pick<Order, 'afterSale'>>,
): boolean {
  const lines = order.shopOrders.flatMap((shopOrder) => shopOrder.lines);
  return (
    MAY_CHANGE.has(order.status) ||
    order.afterSale?.refunds.some((refund) => refund.status !== 'SUCCEEDED') ||
    order.latePayments.some(({ status }) => status !== 'REVIVED' && status !== 'REFUNDED') ||
    lines.some((line) => line.reservationStatus === 'PENDING' || line.reservationStatus === 'PRE_DEDUCTED')
  );
}

const FOLLOW_MS = 1200;
const FOLLOW_PARCEL_MS = 8000;

/** How often the page looks again: soon while it waits for something, now and then while a parcel or a return may move. */
export function followEveryMs(order: Order | undefined): number | false {
  if (!order || mayChange(order)) return FOLLOW_MS;
  return order.status === 'CLOSED' || order.status === 'REFUNDED' ? false : FOLLOW_PARCEL_MS;
}
