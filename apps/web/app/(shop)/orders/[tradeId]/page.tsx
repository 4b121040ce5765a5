import { HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { OrderPage } from '../../../../components/shop/order-page.tsx';
import { prefetch } from '../../../../components/trpc/server.ts';

export const metadata: Metadata = { title: 'Your order' };

export default async function Page({ params }: { params: Promise<{ tradeId: string }> }) {
  const { tradeId } = await params;
  const state = await prefetch((trpc, queries) =>
    Promise.all([
      queries.prefetchQuery(trpc.order.read.queryOptions({ tradeId })),
      queries.prefetchQuery(trpc.catalogue.list.queryOptions({})),
    ]),
  );
  return (
    <div className="mx-auto max-w-6xl px-4 pt-6 sm:px-6 sm:pt-10">
      <HydrationBoundary state={state}>
        <OrderPage tradeId={tradeId} />
      </HydrationBoundary>
    </div>
  );
}
