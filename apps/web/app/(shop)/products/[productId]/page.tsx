import { HydrationBoundary } from '@tanstack/react-query';
import { ProductPage } from '../../../../components/shop/product-page.tsx';
import { prefetch } from '../../../../components/trpc/server.ts';

export default async function Page({ params }: { params: Promise<{ productId: string }> }) {
  const { productId } = await params;
  const state = await prefetch(async (trpc, queries) => {
    const product = await queries.fetchQuery(trpc.catalogue.product.queryOptions({ productId }));
    await queries.prefetchQuery(
      trpc.catalogue.stock.queryOptions({ skus: product.skus.map(({ skuId }) => ({ shopId: product.shopId, skuId })) }),
    );
  });
  return (
    <div className="mx-auto max-w-6xl px-4 pt-6 sm:px-6 sm:pt-10">
      <HydrationBoundary state={state}>
        <ProductPage productId={productId} />
      </HydrationBoundary>
    </div>
  );
}
