'use client';
/** Free units of some SKUs, read again every four seconds and whenever the page is looked at again (C62). */
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../trpc/client.tsx';
import type { StockFigures } from './stock-sentence.ts';

export const STOCK_REFRESH_MS = 4000;
export interface SkuName {
  readonly shopId: string;
  readonly skuId: string;
}

export function useStock(skus: readonly SkuName[]): (sku: SkuName) => StockFigures | undefined {
  const trpc = useTRPC();
  const { data, isError } = useQuery(
    trpc.catalogue.stock.queryOptions(
      { skus: skus.map(({ shopId, skuId }) => ({ shopId, skuId })) },
      {
        refetchInterval: STOCK_REFRESH_MS,
        refetchOnMount: 'always',
        enabled: skus.length > 0,
        placeholderData: (before) => before,
      },
    ),
  );
  // A figure that can no longer be read is not known any more.
  if (isError) return () => undefined;
  return ({ shopId, skuId }) => data?.lines.find((line) => line.shopId === shopId && line.skuId === skuId);
}
