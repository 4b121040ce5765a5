'use client';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../trpc/client.tsx';
import { failureOf } from '../trpc/failure-of.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { ProductCard } from './product-card.tsx';
import type { Shelf } from './types.ts';
import { useStock } from './use-stock.ts';

/** All shelves, shop by shop. */
export function Shelves() {
  const trpc = useTRPC();
  const { data: shelves, error, refetch } = useQuery(trpc.catalogue.list.queryOptions({}));
  const stockOf = useStock(
    shelves?.flatMap((shelf) =>
      shelf.products.flatMap((product) => product.skus.map((sku) => ({ shopId: product.shopId, skuId: sku.skuId }))),
    ) ?? [],
  );
  if (!shelves && error) {
    return (
      <Notice look="wrong" title="The shelves could not be read" className="max-w-xl">
        <p>{failureOf(error).message}</p>
        <Button look="text" size="bare" className="mt-2" onClick={() => void refetch()}>
          Try again
        </Button>
      </Notice>
    );
  }
  if (!shelves)
    return (
      <div className="grid grid-cols-2 gap-x-5 gap-y-12 md:grid-cols-3 lg:grid-cols-4">
        {[1, 2, 3, 4].map((n) => (
          <Waiting key={n} className="aspect-square" />
        ))}
      </div>
    );
  if (shelves.length === 0)
    return <Notice title="The shelves are empty">Goods are on their way; please come back soon.</Notice>;
  return (
    <div className="space-y-16 lg:space-y-24">
      {shelves.map((shelf) => (
        <ShelfRow key={shelf.shopId} shelf={shelf} stockOf={stockOf} />
      ))}
    </div>
  );
}

function ShelfRow({ shelf, stockOf }: { shelf: Shelf; stockOf: ReturnType<typeof useStock> }) {
  const title = `shelf-${shelf.shopId}`;
  return (
    <section
      aria-labelledby={title}
      className="grid gap-x-10 gap-y-7 border-t border-line pt-6 lg:grid-cols-[11rem_minmax(0,1fr)]"
    >
      <div className="flex items-baseline gap-3 self-start lg:sticky lg:top-24 lg:block lg:space-y-2">
        <h2 id={title} className="display scroll-mt-24 text-xl leading-none lg:text-[1.75rem]">
          {shelf.name}
        </h2>
        <p className="figures shrink-0 text-sm text-soft">
          {shelf.products.length} {shelf.products.length === 1 ? 'thing' : 'things'}
        </p>
      </div>
      <ul className="grid grid-cols-1 gap-x-6 gap-y-12 min-[26rem]:grid-cols-2 md:grid-cols-3">
        {shelf.products.map((product) => (
          <li key={product.productId}>
            <ProductCard product={product} stockOf={stockOf} />
          </li>
        ))}
      </ul>
    </section>
  );
}
