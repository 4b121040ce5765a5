/** What became of payments that the order could not take at once (P28, P30): one sentence each, never silence. */
import { Money } from '../ui/money.tsx';
import { Notice } from '../ui/notice.tsx';
import { lateMoneyWords } from './late-money-words.ts';
import type { Order } from './types.ts';

export function LateMoneyNotices({ order }: { order: Order }) {
  return order.latePayments.map((payment) => {
    const { title, text } = lateMoneyWords(payment, order.closeReason);
    return (
      <Notice key={payment.eventId} title={title}>
        {text} <Money minor={payment.amountMinor} currency={payment.currency} />
      </Notice>
    );
  });
}
