'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { useTRPC } from '../trpc/client.tsx';
import { failureOf } from '../trpc/failure-of.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { QuantityField } from '../ui/quantity-field.tsx';
import { type StockFigures, stockSentence } from './stock-sentence.ts';

interface AddToCartProps {
  readonly shopId: string;
  readonly skuId: string;
  readonly name: string;
  readonly stock: StockFigures | undefined;
}

/** The cart holds no units, so adding is always allowed while some may be had; only the order takes them. */
export function AddToCart({ shopId, skuId, name, stock }: AddToCartProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [units, setUnits] = useState(1);
  const put = useMutation(
    trpc.cart.put.mutationOptions({ onSuccess: () => queries.invalidateQueries(trpc.cart.read.queryFilter()) }),
  );
  const { canBuy, state } = stockSentence(stock);
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center gap-3">
        <QuantityField value={units} label={name} onCommit={setUnits} disabled={!canBuy} tall />
        <Button
          disabled={!canBuy || put.isPending}
          onClick={() => put.mutate({ shopId, skuId, quantity: units, mode: 'add' })}
          className="h-12 grow sm:grow-0 sm:px-10"
        >
          {canBuy ? 'Put in the cart' : state === 'held' ? 'Being paid for' : 'Sold out'}
        </Button>
      </div>
      {put.isSuccess && (
        <Notice title={`In your cart: ${put.data.quantity}`}>
          <Link href="/cart" className="font-medium text-kelp underline underline-offset-4">
            Go to the cart
          </Link>
        </Notice>
      )}
      {put.isError && (
        <Notice look="wrong" title="Not put in the cart">
          {failureOf(put.error).message}
        </Notice>
      )}
    </div>
  );
}
