import Link from 'next/link';
import { Notice } from '../ui/notice.tsx';

/** This cart is ordered already: the order is what to go on with. */
export function OpenOrderNotice({ tradeId }: { tradeId: string }) {
  return (
    <Notice look="held" title="This cart is ordered already and waits to be paid">
      <Link href={`/orders/${tradeId}`} className="font-medium text-ink underline underline-offset-4">
        Go to the order
      </Link>{' '}
      to pay it, or to cancel it and order something else.
    </Notice>
  );
}
