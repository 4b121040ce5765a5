/** What an order's page says in each state: one table, so that every state has its words. */
import type { Order, OrderStatus } from './types.ts';

export interface OrderWords {
  readonly title: string;
  readonly text: string;
  readonly tone: 'held' | 'confirmed' | 'released' | 'expired';
}

export function orderWords({
  status,
  closeReason,
  payment,
}: Pick<Order, 'status' | 'closeReason' | 'payment'>): OrderWords {
  switch (status) {
    case 'UNPAID':
      return payment.status === 'FAILED'
        ? {
            title: 'The payment was declined',
            text: 'Your items are still held for you. You can try again with the same order.',
            tone: 'held',
          }
        : { title: 'Held for you', text: 'Your items are yours to pay until the ring has closed.', tone: 'held' };
    case 'EXPIRED':
      return {
        title: 'The time to pay is over',
        text: 'Your items went back on the shelf. Nothing was charged.',
        tone: 'expired',
      };
    case 'PAID_PENDING':
      return {
        title: 'Paid, being written down',
        text: 'Your payment has arrived. This takes a second or two.',
        tone: 'held',
      };
    case 'PAID':
      return { title: 'Thank you. It is yours.', text: 'Paid and confirmed. We are packing it.', tone: 'confirmed' };
    case 'SHIPPED':
      return { title: 'On its way', text: 'Your parcel has left the coast.', tone: 'confirmed' };
    case 'RECEIVED':
      return { title: 'Arrived', text: 'We hope it holds for a long time.', tone: 'confirmed' };
    case 'REFUNDED':
      return { title: 'Refunded', text: 'The money is on its way back to you.', tone: 'released' };
    case 'CLOSED':
      return closedWords(closeReason);
  }
}

function closedWords(reason: Order['closeReason']): OrderWords {
  switch (reason) {
    case 'TIMED_OUT':
      return {
        title: 'The time to pay is over',
        text: 'Your items went back on the shelf. Nothing was charged.',
        tone: 'expired',
      };
    case 'OVER_ADMITTED':
      return {
        title: 'We could not keep this one',
        text: 'The last of it was sold before the payment began. Nothing was charged.',
        tone: 'released',
      };
    case 'CONFIRM_CONFLICT':
      return {
        title: 'We could not keep this one',
        text: 'What you paid will be given back to you.',
        tone: 'released',
      };
    default:
      return { title: 'Cancelled', text: 'Your items went back on the shelf. Nothing was charged.', tone: 'released' };
  }
}

const MAY_CHANGE: ReadonlySet<OrderStatus> = new Set<OrderStatus>(['UNPAID', 'EXPIRED', 'PAID_PENDING']);

/** True while the page has something to wait for: the order itself, or a line the ledger has not finished. */
export function mayChange(order: Order): boolean {
  const lines = order.shopOrders.flatMap((shopOrder) => shopOrder.lines);
  return (
    MAY_CHANGE.has(order.status) ||
    lines.some((line) => line.reservationStatus === 'PENDING' || line.reservationStatus === 'PRE_DEDUCTED')
  );
}
