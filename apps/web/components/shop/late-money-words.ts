/** The words for a payment that came late, twice or with another amount. The amount follows the text. */
import type { Order } from './types.ts';

type LatePayment = Order['latePayments'][number];

export function lateMoneyWords(
  { cause, status }: Pick<LatePayment, 'cause' | 'status'>,
  closeReason: Order['closeReason'],
): { title: string; text: string } {
  switch (status) {
    case 'OPEN':
    case 'REVIVING':
      if (!REVIVABLE.has(cause) || !mayGoOn(closeReason))
        return { title: TITLES[cause], text: 'We are giving it back to you:' };
      return {
        title: 'Your payment arrived after the time to pay',
        text: 'We are looking whether your items are still there. If they are, the order goes on; if not, you get your money back:',
      };
    case 'REVIVED':
      return {
        title: 'Your payment arrived late, and your items were still there',
        text: 'We have taken them for you again, and the order went on. Paid:',
      };
    case 'REFUND_DUE':
      return { title: TITLES[cause], text: 'We are giving it back to you:' };
    case 'REFUNDED':
      return { title: TITLES[cause], text: 'It has been given back to you:' };
  }
}

/** Only an order that nobody ended on purpose goes on (P28); one that is not closed yet may still be such a one. */
function mayGoOn(closeReason: Order['closeReason']): boolean {
  return (
    closeReason === null ||
    closeReason === 'TIMED_OUT' ||
    closeReason === 'OVER_ADMITTED' ||
    closeReason === 'CONFIRM_CONFLICT'
  );
}

const REVIVABLE: ReadonlySet<LatePayment['cause']> = new Set<LatePayment['cause']>(['LATE', 'CONFIRM_CONFLICT']);

const TITLES: Record<LatePayment['cause'], string> = {
  LATE: 'Your payment arrived too late for this order',
  CONFIRM_CONFLICT: 'We could not keep your items for this payment',
  SECOND: 'This order was paid twice',
  AMOUNT_DIFFERS: 'A payment came with another amount than this order has',
  UNMATCHED: 'A payment came that this order did not need',
};
