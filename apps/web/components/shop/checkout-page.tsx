'use client';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTRPC } from '../trpc/client.tsx';
import { failureOf, type SeenFailure } from '../trpc/failure-of.ts';
import { Button } from '../ui/button.tsx';
import { Money } from '../ui/money.tsx';
import { Notice } from '../ui/notice.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { AddressFields, type ShipTo } from './address-fields.tsx';
import { CheckoutLines } from './checkout-lines.tsx';
import { CouponField } from './coupon-field.tsx';
import { EmptyPage } from './empty-page.tsx';
import { OpenOrderNotice } from './open-order-notice.tsx';
import { OrderRefused } from './order-refused.tsx';
import { UnderThumb } from './under-thumb.tsx';
import { usePlaceOrder } from './use-place-order.ts';

const NOBODY: ShipTo = { email: '', name: '', line1: '', line2: '', postcode: '', city: '', country: 'IE' };

export function CheckoutPage() {
  const trpc = useTRPC();
  const { data: cart, error } = useQuery(trpc.cart.read.queryOptions());
  const [shipTo, setShipTo] = useState(NOBODY);
  const [coupon, setCoupon] = useState('');
  const order = usePlaceOrder(cart);
  const form = useFocusOnRefused(order.refusal);
  if (!cart && error)
    return (
      <Notice look="wrong" title="Your cart could not be read">
        {failureOf(error).message}
      </Notice>
    );
  if (!cart) return <Waiting className="h-96" />;
  if (cart.lines.length === 0)
    return (
      <EmptyPage
        art="drybag"
        title="Nothing to check out"
        text="Your cart is empty."
        href="/"
        action="To the shelves"
      />
    );
  if (cart.openTrade && !cart.openTrade.expired && !order.busy)
    return <OpenOrderNotice tradeId={cart.openTrade.tradeId} />;
  const refusal = order.refusal;
  const total = cart.totals[0];
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void order.place(shipTo, coupon);
      }}
      className="grid items-start gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1fr)_22rem]"
    >
      <AddressFields value={shipTo} onChange={setShipTo} wrongField={refusal?.field} problem={refusal?.message} />
      <aside className="space-y-5 rounded-shop bg-foam p-6 lg:sticky lg:top-24">
        <h2 className="display text-lg">Your order</h2>
        <CheckoutLines cart={cart} refusal={refusal} />
        {total && (
          <div className="flex items-baseline justify-between border-t border-line pt-4">
            <span>Total, delivery included</span>
            <Money minor={total.totalMinor} currency={total.currency} className="text-lg font-semibold" />
          </div>
        )}
        <CouponField value={coupon} onChange={setCoupon} refusal={refusal} />
        {refusal && !refusal.field && <OrderRefused refusal={refusal} />}
        <UnderThumb>
          <Button type="submit" disabled={order.busy} className="w-full">
            {order.busy ? 'Taking your items' : 'Order and go to payment'}
          </Button>
        </UnderThumb>
        <p className="text-xs text-soft">Your items are held while you pay. You can cancel until then.</p>
      </aside>
    </form>
  );
}

/** On a phone the refused field may be far above the button. */
function useFocusOnRefused(refusal: SeenFailure | undefined): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refusal?.field) form.current?.querySelector<HTMLElement>('input[data-invalid]')?.focus();
  }, [refusal]);
  return form;
}
