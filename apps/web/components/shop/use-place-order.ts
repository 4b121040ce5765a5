'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import { useTRPC } from '../trpc/client.tsx';
import { failureOf, type SeenFailure } from '../trpc/failure-of.ts';
import type { ShipTo } from './address-fields.tsx';
import { attemptKey, noteTrade } from './attempt.ts';
import type { Cart } from './types.ts';

interface PlaceOrder {
  readonly busy: boolean;
  readonly refusal: SeenFailure | undefined;
  /** @param coupon a code, or nothing but spaces */
  place(shipTo: ShipTo, coupon: string): Promise<void>;
}

/** Orders what is in the cart and goes to the order's page; a refusal stays for the page to show. */
export function usePlaceOrder(cart: Cart | undefined): PlaceOrder {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const underWay = useRef(false);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<SeenFailure>();
  const order = useMutation(trpc.order.place.mutationOptions());

  async function place({ email, ...to }: ShipTo, coupon: string): Promise<void> {
    if (!cart || underWay.current) return;
    underWay.current = true;
    setBusy(true);
    setRefusal(undefined);
    try {
      const { line2, ...address } = to;
      const body = {
        ...(cart.cartId && { cartId: cart.cartId }),
        lines: cart.lines
          .filter((line) => line.active)
          .map(({ shopId, skuId, quantity, unitPriceMinor }) => ({ shopId, skuId, quantity, unitPriceMinor })),
        ...(coupon.trim() && { coupon: coupon.trim() }),
        email: email.trim(),
        shipTo: { ...address, ...(line2.trim() && { line2 }) },
      };
      const placed = await order.mutateAsync({ ...body, key: attemptKey(body, openTradeOf(cart)) });
      noteTrade(placed.tradeId);
      router.push(`/orders/${placed.tradeId}`);
      void queries.invalidateQueries(trpc.cart.read.queryFilter());
    } catch (error) {
      setRefusal(failureOf(error));
      setBusy(false);
      void queries.invalidateQueries(trpc.cart.read.queryFilter());
      void queries.invalidateQueries(trpc.catalogue.stock.queryFilter());
    } finally {
      underWay.current = false;
    }
  }
  return { busy, refusal, place };
}

/** An order whose time is over is ended by the server; the buyer's next one is a new attempt, not its repeat. */
function openTradeOf({ openTrade }: Cart): string | undefined {
  return openTrade && !openTrade.expired ? openTrade.tradeId : undefined;
}
