'use client';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTRPC } from '../trpc/client.tsx';
import { failureOf } from '../trpc/failure-of.ts';
import { Money } from '../ui/money.tsx';
import { Notice } from '../ui/notice.tsx';
import { StateChip } from '../ui/state-chip.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { EmptyPage } from './empty-page.tsx';
import { orderWords, shownStatus } from './order-state.ts';

const DATE = new Intl.DateTimeFormat('en-IE', { day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' });
const REFRESH_MS = 5000;

export function MyOrders() {
  const trpc = useTRPC();
  const { data: orders, error } = useQuery(trpc.order.list.queryOptions(undefined, { refetchInterval: REFRESH_MS }));
  if (!orders && error)
    return (
      <Notice look="wrong" title="Your orders could not be read">
        {failureOf(error).message}
      </Notice>
    );
  if (!orders) return <Waiting className="h-64" />;
  if (orders.length === 0)
    return (
      <EmptyPage
        art="rope"
        title="No orders yet"
        text="What you order in this browser is listed here."
        href="/"
        action="To the shelves"
      />
    );
  return (
    <ul className="divide-y divide-line border-y border-line">
      {orders.map((order) => (
        <li key={order.id}>
          <Link
            href={`/orders/${order.id}`}
            className="-mx-3 grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 rounded-shop px-3 py-4 hover:bg-foam sm:grid-cols-[minmax(0,1fr)_10rem_7rem]"
          >
            <span suppressHydrationWarning className="figures">
              {DATE.format(order.createdAt)}
            </span>
            <span className="row-start-2 sm:row-start-auto">
              <StateChip state={shownStatus(order)} word={orderWords(order).word} />
            </span>
            <Money
              minor={order.totalMinor}
              currency={order.currency}
              className="row-span-2 text-right font-medium sm:row-span-1"
            />
          </Link>
        </li>
      ))}
    </ul>
  );
}
