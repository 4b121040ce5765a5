import { HydrationBoundary } from '@tanstack/react-query';
import { Shore } from '../../components/art/shore.tsx';
import { Shelves } from '../../components/shop/shelves.tsx';
import { prefetch } from '../../components/trpc/server.ts';

export default async function HomePage() {
  const state = await prefetch(async (trpc, queries) => {
    const shelves = await queries.fetchQuery(trpc.catalogue.list.queryOptions({}));
    const skus = shelves.flatMap((shelf) =>
      shelf.products.flatMap((product) => product.skus.map((sku) => ({ shopId: product.shopId, skuId: sku.skuId }))),
    );
    await queries.prefetchQuery(trpc.catalogue.stock.queryOptions({ skus }));
  });
  return (
    <>
      <section className="mx-auto max-w-6xl px-4 pt-4 sm:px-6 sm:pt-6">
        <div className="relative overflow-hidden rounded-shop">
          <Shore className="h-[30rem] w-full sm:h-[32rem] lg:h-[38rem]" />
          <div className="absolute inset-x-0 top-0 p-6 sm:p-9 lg:p-11">
            <h1 className="display max-w-[13ch] text-xl leading-[1.15] text-ink sm:leading-[1.08] sm:text-[3.25rem] lg:text-3xl">
              Things that hold, for people by the sea.
            </h1>
          </div>
        </div>
        <p className="measure mt-8 text-base text-soft sm:text-lg">
          Small batches from makers on the coast. When we say seven are left, seven are left: what you order is held for
          you while you pay.
        </p>
      </section>
      <div id="shelves" className="mx-auto max-w-6xl px-4 pt-16 sm:px-6">
        <HydrationBoundary state={state}>
          <Shelves />
        </HydrationBoundary>
      </div>
    </>
  );
}
