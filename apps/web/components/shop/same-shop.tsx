'use client';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../trpc/client.tsx';
import { ProductCard } from './product-card.tsx';
import { useStock } from './use-stock.ts';

const MOST = 3;

/** A few other things of the same shop; shown only when there are some. */
export function SameShop({ shopId, shopName, except }: { shopId: string; shopName: string; except: string }) {
  const trpc = useTRPC();
  const { data: shelves } = useQuery(trpc.catalogue.list.queryOptions({ shopId }));
  const products = shelves?.[0]?.products.filter((product) => product.productId !== except).slice(0, MOST) ?? [];
  const stockOf = useStock(products.flatMap((product) => product.skus.map((sku) => ({ shopId, skuId: sku.skuId }))));
  if (products.length === 0) return null;
  return (
    <section aria-label={`Also from ${shopName}`} className="mt-24 border-t border-line pt-6">
      <h2 className="display mb-7 text-lg">Also from {shopName}</h2>
      <ul className="grid grid-cols-1 gap-x-6 gap-y-12 min-[26rem]:grid-cols-2 md:grid-cols-4">
        {products.map((product) => (
          <li key={product.productId}>
            <ProductCard product={product} stockOf={stockOf} />
          </li>
        ))}
      </ul>
    </section>
  );
}
