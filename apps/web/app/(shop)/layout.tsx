import { HydrationBoundary } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Footer } from '../../components/shop/footer.tsx';
import { Header } from '../../components/shop/header.tsx';
import { prefetch } from '../../components/trpc/server.ts';

export default async function ShopLayout({ children }: { children: ReactNode }) {
  const state = await prefetch((trpc, queries) => queries.prefetchQuery(trpc.cart.read.queryOptions()));
  return (
    <HydrationBoundary state={state}>
      <div className="flex min-h-dvh flex-col">
        <Header />
        <main className="grow">{children}</main>
        <Footer />
      </div>
    </HydrationBoundary>
  );
}
