'use client';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTRPC } from '../trpc/client.tsx';
import { failureOf } from '../trpc/failure-of.ts';
import { Button } from '../ui/button.tsx';
import { buttonLook } from '../ui/button-look.ts';
import { Money } from '../ui/money.tsx';
import { Notice } from '../ui/notice.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { CartLineRow } from './cart-line-row.tsx';
import { EmptyPage } from './empty-page.tsx';
import { OpenOrderNotice } from './open-order-notice.tsx';
import { useStock } from './use-stock.ts';

export function CartPage() {
  const trpc = useTRPC();
  const { data: cart, error, refetch } = useQuery(trpc.cart.read.queryOptions());
  const stockOf = useStock(cart?.lines ?? []);
  if (!cart && error)
    return (
      <Notice look="wrong" title="Your cart could not be read">
        {failureOf(error).message}{' '}
        <Button look="text" size="bare" onClick={() => void refetch()}>
          Try again
        </Button>
      </Notice>
    );
  if (!cart) return <Waiting className="h-64" />;
  if (cart.lines.length === 0)
    return (
      <EmptyPage
        art="drybag"
        title="Your cart is empty"
        text="Have a look at the shelves; what you like goes in here."
        href="/"
        action="To the shelves"
      />
    );
  const short = cart.lines.some((line) => !line.active || (stockOf(line)?.free ?? line.quantity) < line.quantity);
  return (
    <div className="grid items-start gap-10 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="space-y-5">
        {cart.openTrade && !cart.openTrade.expired && <OpenOrderNotice tradeId={cart.openTrade.tradeId} />}
        <ul className="divide-y divide-line border-y border-line">
          {cart.lines.map((line) => (
            <CartLineRow key={`${line.shopId}/${line.skuId}`} line={line} stock={stockOf(line)} />
          ))}
        </ul>
      </div>
      <aside className="space-y-4 rounded-shop bg-foam p-6 lg:sticky lg:top-24">
        {cart.totals.map(({ currency, totalMinor }) => (
          <div key={currency} className="flex items-baseline justify-between">
            <span className="text-soft">Total</span>
            <Money minor={totalMinor} currency={currency} className="text-lg font-semibold" />
          </div>
        ))}
        <p className="text-xs text-soft">Delivery is included. Nothing is held for you until you order.</p>
        {short ? <p className="text-sm text-held">Please settle the marked lines first.</p> : null}
        <Link
          href="/checkout"
          aria-disabled={short}
          className={buttonLook({ look: 'primary', class: `w-full ${short ? 'pointer-events-none opacity-55' : ''}` })}
        >
          Check out
        </Link>
      </aside>
    </div>
  );
}
