import Link from 'next/link';
import type { ReactNode } from 'react';
import type { SeenFailure } from '../trpc/failure-of.ts';
import { Notice } from '../ui/notice.tsx';

/** Why no order was made, and the one next step. */
export function OrderRefused({ refusal }: { refusal: SeenFailure }) {
  const cart = (
    <Link href="/cart" className="font-medium text-ink underline underline-offset-4">
      Change the cart
    </Link>
  );
  switch (refusal.code) {
    case 'SOLD_OUT':
      return <Refusal title={soldOutTitle(refusal)}>Nothing was ordered and nothing is held. {cart}</Refusal>;
    case 'OPEN_ORDER':
      return (
        <Refusal title="This cart is ordered already">
          {refusal.tradeId && (
            <Link href={`/orders/${refusal.tradeId}`} className="font-medium text-ink underline underline-offset-4">
              Go to the order
            </Link>
          )}
        </Refusal>
      );
    case 'PRICE_CHANGED':
      return <Refusal title="A price has changed">The summary shows the new one. Order again if you agree.</Refusal>;
    case 'LIMIT_EXCEEDED':
      return <Refusal title="That is more than one buyer may hold">{refusal.message}</Refusal>;
    case 'GATE_CLOSED':
    case 'BUSY':
      return (
        <Refusal title="The till is closed for a moment">
          Nothing is lost, and your cart stays as it is. Please order again in a few seconds.
        </Refusal>
      );
    case 'OUTCOME_UNKNOWN':
    case 'OFFLINE':
      return (
        <Refusal title="We did not hear back">Please order again: whatever happened, it will be one order.</Refusal>
      );
    default:
      return (
        <Notice look="wrong" title="The order was not made">
          {refusal.message}
        </Notice>
      );
  }
}

function soldOutTitle({ lines }: SeenFailure): string {
  const [line] = lines;
  if (lines.length !== 1 || !line) return 'Some items are no longer there';
  return line.left === 0
    ? 'Sold out: somebody was quicker'
    : `Only ${line.left} left of what you want ${line.wanted} of`;
}

function Refusal({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Notice look="held" title={title} className="bg-sheet">
      {children}
    </Notice>
  );
}
