'use client';
/** A buyer's order: its state in words, the time left to pay, its lines and what can be done; from `order.read`. */
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTRPC } from '../trpc/client.tsx';
import { failureOf, type SeenFailure } from '../trpc/failure-of.ts';
import { isMissing } from '../trpc/while-found.ts';
import { buttonLook } from '../ui/button-look.ts';
import { join } from '../ui/join.ts';
import { Money } from '../ui/money.tsx';
import { Notice } from '../ui/notice.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { Countdown } from './countdown.tsx';
import { LateMoneyNotices } from './late-money-notice.tsx';
import { OrderActions } from './order-actions.tsx';
import { OrderLines } from './order-lines.tsx';
import { followEveryMs, mayChange, orderWords } from './order-state.ts';
import type { Order } from './types.ts';

const PANELS: Record<ReturnType<typeof orderWords>['tone'], string> = {
  held: 'bg-held-wash',
  confirmed: 'bg-confirmed-wash',
  released: 'bg-released-wash',
  expired: 'bg-expired-wash',
};

/** Follows the order's state by itself until nothing can change any more. */
export function OrderPage({ tradeId }: { tradeId: string }) {
  const trpc = useTRPC();
  const {
    data: order,
    error,
    isRefetchError,
  } = useQuery(
    trpc.order.read.queryOptions(
      { tradeId },
      {
        refetchInterval: ({ state }) => !isMissing(state.error) && followEveryMs(state.data),
        refetchOnMount: 'always',
      },
    ),
  );
  if (!order && error) return <NotShown failure={failureOf(error)} />;
  if (!order) return <Waiting className="h-80" />;
  return (
    <div className="grid items-start gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="space-y-10">
        <OrderHead order={order} />
        {isRefetchError && (
          <p role="status" className="text-sm text-held">
            This page could not be refreshed just now; it keeps trying.
          </p>
        )}
        <LateMoneyNotices order={order} />
        <OrderLines order={order} />
      </div>
      <OrderAside order={order} />
    </div>
  );
}

function NotShown({ failure }: { failure: SeenFailure }) {
  return failure.code === 'NOT_FOUND' ? (
    <Notice title="There is no such order here">
      Orders can be seen in the browser that made them.{' '}
      <Link href="/orders" className="underline">
        My orders
      </Link>
    </Notice>
  ) : (
    <Notice look="wrong" title="The order could not be read">
      {failure.message}
    </Notice>
  );
}

function OrderHead({ order }: { order: Order }) {
  const { title, text, tone } = orderWords(order);
  return (
    <section
      data-status={order.status}
      aria-live="polite"
      className={join(
        'flex flex-col gap-6 rounded-shop p-6 sm:flex-row sm:items-center sm:justify-between sm:p-8',
        PANELS[tone],
      )}
    >
      <div key={order.status} className="rise space-y-2">
        <h1 className="display text-xl sm:text-2xl">{title}</h1>
        <p className="measure text-soft">{text}</p>
      </div>
      {order.status === 'UNPAID' && (
        <Countdown payUntil={order.payUntil} serverNow={order.serverNow} createdAt={order.createdAt} />
      )}
    </section>
  );
}

function OrderAside({ order }: { order: Order }) {
  return (
    <aside className="space-y-5 lg:sticky lg:top-24">
      <div className="space-y-4 rounded-shop bg-foam p-6">
        {order.discountMinor > 0 && (
          <div className="space-y-1 text-sm text-soft" data-discount={order.discountMinor}>
            <p className="flex items-baseline justify-between">
              <span>Items</span>
              <Money minor={order.totalMinor + order.discountMinor} currency={order.currency} />
            </p>
            <p className="flex items-baseline justify-between">
              <span>Coupon {order.couponCode}</span>
              <Money minor={-order.discountMinor} currency={order.currency} />
            </p>
          </div>
        )}
        <div className="flex items-baseline justify-between">
          <span className="text-soft">Total</span>
          <Money minor={order.totalMinor} currency={order.currency} className="text-lg font-semibold" />
        </div>
        <OrderActions order={order} />
        {!mayChange(order) && (
          <Link href="/" className={buttonLook({ look: 'quiet', class: 'w-full' })}>
            Back to the shelves
          </Link>
        )}
      </div>
      <dl className="space-y-3 px-1 text-sm">
        <Fact name="Order">{`…${order.id.slice(-12)}`}</Fact>
        {order.email && <Fact name="Receipt to">{order.email}</Fact>}
        {order.shipTo && (
          <Fact name="Goes to">
            {[
              order.shipTo.name,
              order.shipTo.line1,
              order.shipTo.line2,
              `${order.shipTo.postcode ?? ''} ${order.shipTo.city ?? ''}`,
              order.shipTo.country,
            ]
              .filter(Boolean)
              .join(', ')}
          </Fact>
        )}
      </dl>
    </aside>
  );
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <div className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-3">
      <dt className="text-soft">{name}</dt>
      <dd className="figures break-words">{children}</dd>
    </div>
  );
}
