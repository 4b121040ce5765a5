import { HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { PayPage } from '../../../components/shop/pay-page.tsx';
import { prefetch } from '../../../components/trpc/server.ts';

export const metadata: Metadata = { title: 'Pay' };

export default async function Page({ params }: { params: Promise<{ intentId: string }> }) {
  const { intentId } = await params;
  const state = await prefetch((trpc, queries) => queries.prefetchQuery(trpc.order.payment.queryOptions({ intentId })));
  return (
    <main className="grid min-h-dvh place-items-center bg-foam px-4 py-10">
      <div className="w-full max-w-sm">
        <HydrationBoundary state={state}>
          <PayPage intentId={intentId} />
        </HydrationBoundary>
      </div>
    </main>
  );
}
