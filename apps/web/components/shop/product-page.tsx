'use client';
/** One product with its variants, from `catalogue.product`; what is left of each comes from the gate by `useStock`. */
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { Art } from '../art/art.tsx';
import { toneOf } from '../art/tones.ts';
import { useTRPC } from '../trpc/client.tsx';
import { failureOf } from '../trpc/failure-of.ts';
import { Money } from '../ui/money.tsx';
import { Notice } from '../ui/notice.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { AddToCart } from './add-to-cart.tsx';
import { limitWords } from './limit-words.ts';
import { SameShop } from './same-shop.tsx';
import { StockNote } from './stock-note.tsx';
import type { Product } from './types.ts';
import { useStock } from './use-stock.ts';
import { VariantPicker } from './variant-picker.tsx';

export function ProductPage({ productId }: { productId: string }) {
  const trpc = useTRPC();
  const { data: product, error } = useQuery(trpc.catalogue.product.queryOptions({ productId }));
  const skus = product?.skus.map((sku) => ({ shopId: product.shopId, skuId: sku.skuId })) ?? [];
  const stockOf = useStock(skus);
  if (!product && error)
    return (
      <Notice look="wrong" title="This product could not be shown">
        {failureOf(error).message}{' '}
        <Link href="/" className="underline">
          Back to the shelves
        </Link>
      </Notice>
    );
  if (!product)
    return (
      <div className="grid gap-10 md:grid-cols-2">
        <Waiting className="aspect-square" />
        <Waiting className="h-64" />
      </div>
    );
  return (
    <>
      <Details product={product} stockOf={stockOf} />
      <SameShop shopId={product.shopId} shopName={product.shopName} except={productId} />
    </>
  );
}

/** The drawing of the chosen variant, and what there is to know and to choose. */
function Details({ product, stockOf }: { product: Product; stockOf: ReturnType<typeof useStock> }) {
  const [chosen, choose] = useState<string>();
  const { shopId } = product;
  const available = product.skus.find((sku) => (stockOf({ shopId, skuId: sku.skuId })?.free ?? 1) > 0);
  const sku = product.skus.find((one) => one.skuId === chosen) ?? available ?? product.skus[0];
  if (!sku)
    return (
      <Notice title="Not for sale at the moment">
        <Link href="/" className="underline">
          Back to the shelves
        </Link>
      </Notice>
    );
  const stock = stockOf({ shopId, skuId: sku.skuId });
  const limits = limitWords(sku);
  return (
    <article className="grid items-start gap-x-14 gap-y-8 md:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)]">
      <div
        className={`wash tone-${toneOf(product.art, sku.name)} grid aspect-square place-items-center rounded-shop transition-colors duration-200 md:sticky md:top-24`}
      >
        <Art art={product.art} skuName={sku.name} printed className="w-[68%]" />
      </div>
      <div className="space-y-7 md:pt-6">
        <header className="space-y-3">
          <p className="text-sm text-soft">
            <Link
              href={`/#shelf-${shopId}`}
              className="underline decoration-line-strong underline-offset-4 hover:text-ink"
            >
              {product.shopName}
            </Link>
          </p>
          <h1 className="display text-xl sm:text-2xl">{product.name}</h1>
          <p className="text-lg">
            <Money minor={sku.priceMinor} currency={product.currency} />
          </p>
        </header>
        <p className="measure text-base text-soft">{product.description}</p>
        {product.skus.length > 1 && (
          <VariantPicker
            art={product.art}
            skus={product.skus}
            chosen={sku.skuId}
            onChoose={choose}
            stockOf={(skuId) => stockOf({ shopId, skuId })}
          />
        )}
        <div className="space-y-1">
          <StockNote stock={stock} className="text-base" />
          {limits && <p className="figures text-sm text-soft">{limits}</p>}
        </div>
        <AddToCart key={sku.skuId} shopId={shopId} skuId={sku.skuId} name={product.name} stock={stock} />
      </div>
    </article>
  );
}
