'use client';
/** One line of the cart: its quantity is written to the cart, what is left comes from the gate by `useStock`. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import { Art } from '../art/art.tsx';
import { toneOf } from '../art/tones.ts';
import { useTRPC } from '../trpc/client.tsx';
import { failureOf } from '../trpc/failure-of.ts';
import { Button } from '../ui/button.tsx';
import { Money } from '../ui/money.tsx';
import { QuantityField } from '../ui/quantity-field.tsx';
import type { StockFigures } from './stock-sentence.ts';
import type { CartLine } from './types.ts';

const SETTLE_MS = 300;

/** The line's quantity as the buyer sets it, written to the cart a moment later. */
function useCartLine(line: CartLine) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const refresh = { onSettled: () => queries.invalidateQueries(trpc.cart.read.queryFilter()) };
  const put = useMutation(trpc.cart.put.mutationOptions(refresh));
  const remove = useMutation(trpc.cart.remove.mutationOptions(refresh));
  const [units, setUnits] = useState<number>(line.quantity);
  const { mutate } = put;
  useEffect(() => setUnits(line.quantity), [line.quantity]);
  // Several steps in a row are one change.
  useEffect(() => {
    if (units === line.quantity) return;
    const timer = setTimeout(
      () => mutate({ shopId: line.shopId, skuId: line.skuId, quantity: units, mode: 'set' }),
      SETTLE_MS,
    );
    return () => clearTimeout(timer);
  }, [units, line.quantity, line.shopId, line.skuId, mutate]);
  return {
    units,
    setUnits,
    problem: put.isError ? failureOf(put.error).message : undefined,
    remove: () => remove.mutate({ shopId: line.shopId, skuId: line.skuId }),
    removing: remove.isPending,
  };
}

export function CartLineRow({ line, stock }: { line: CartLine; stock: StockFigures | undefined }) {
  const { units, setUnits, problem, remove, removing } = useCartLine(line);
  const left = line.active ? (stock?.free ?? null) : 0;
  const short = left !== null && left < units;
  return (
    <li className="grid grid-cols-[5rem_minmax(0,1fr)] gap-x-4 gap-y-3 py-5 sm:grid-cols-[6.5rem_minmax(0,1fr)_auto]">
      <Link
        href={`/products/${line.productId}`}
        className={`wash tone-${toneOf(line.art, line.skuName)} grid aspect-square place-items-center rounded-shop`}
      >
        <Art art={line.art} skuName={line.skuName} className="w-3/4" />
      </Link>
      <div className="min-w-0 space-y-1">
        <Link href={`/products/${line.productId}`} className="display text-lg hover:underline">
          {line.productName}
        </Link>
        <p className="text-sm text-soft">{[line.skuName, line.shopName].filter(Boolean).join(' · ')}</p>
        <p className="text-sm text-soft">
          <Money minor={line.unitPriceMinor} currency={line.currency} /> each
        </p>
        {short && (
          <p role="status" className="rise flex flex-wrap items-center gap-x-3 pt-1 text-sm font-medium text-held">
            {left === 0 ? 'Sold out for now.' : `Only ${left} left.`}
            {left > 0 && (
              <Button look="text" size="bare" className="text-sm" onClick={() => setUnits(left)}>
                Take {left}
              </Button>
            )}
          </p>
        )}
        {problem && (
          <p role="alert" className="text-sm text-drift-down">
            {problem}
          </p>
        )}
      </div>
      <div className="col-span-2 flex items-center justify-between gap-5 sm:col-span-1 sm:flex-col sm:items-end sm:justify-start">
        <QuantityField value={units} label={line.productName} onCommit={setUnits} />
        <div className="flex items-baseline gap-4 sm:flex-col sm:items-end sm:gap-1">
          <Money minor={line.unitPriceMinor * units} currency={line.currency} className="font-medium" />
          <Button
            look="text"
            size="bare"
            disabled={removing}
            className="text-sm text-soft"
            onClick={remove}
            aria-label={`Remove ${line.productName}`}
          >
            Remove
          </Button>
        </div>
      </div>
    </li>
  );
}
