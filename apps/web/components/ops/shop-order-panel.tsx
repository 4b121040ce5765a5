'use client';
/** One shop's part of an order: its lines with what came back of them, shipping it, refunding it. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../trpc/client.tsx';
import { failureOf } from '../trpc/failure-of.ts';
import { StateChip } from '../ui/state-chip.tsx';
import { ActionButton, type OrderActing } from './action-button.tsx';
import { Panel } from './panel.tsx';
import { RefundLine } from './refund-line.tsx';
import type { ConsoleShopOrder } from './types.ts';
import { useOrderReadAgain } from './use-order-read-again.ts';

export function ShopOrderPanel({ shopOrder, ...acting }: OrderActing & { readonly shopOrder: ConsoleShopOrder }) {
  const { order } = acting;
  const parcel = order.afterSale.parcels.find(({ shopOrderId }) => shopOrderId === shopOrder.id);
  return (
    <Panel title={shopOrder.shopName} aside={<StateChip state={shopOrder.status} />}>
      <ul className="divide-y divide-line/70">
        {shopOrder.lines.map((line) => (
          <RefundLine
            key={line.skuId}
            {...acting}
            shopOrderId={shopOrder.id}
            line={line}
            after={parcel?.lines.find(({ skuId }) => skuId === line.skuId)}
          />
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-3 border-t border-line p-3 text-sm">
        {parcel?.shippedAt && (
          <span className="text-soft">
            {['shipped', parcel.carrier, parcel.trackingCode].filter(Boolean).join(' · ')}
          </span>
        )}
        <Ship {...acting} shopOrderId={shopOrder.id} />
      </div>
    </Panel>
  );
}

const INPUT = 'h-8 w-32 rounded-panel border border-line-strong bg-sheet px-2 text-sm';

function Ship({ shopOrderId, ...acting }: OrderActing & { readonly shopOrderId: string }) {
  const trpc = useTRPC();
  const onSettled = useOrderReadAgain();
  const [carrier, setCarrier] = useState('');
  const [trackingCode, setTrackingCode] = useState('');
  const ship = useMutation(trpc.ops.ship.mutationOptions({ onSettled }));
  const refused = acting.order.shopOrderMoves[shopOrderId]?.ship ?? null;
  return (
    <>
      {refused === null && (
        <>
          <input
            aria-label="Carrier"
            placeholder="carrier"
            value={carrier}
            maxLength={100}
            onChange={(event) => setCarrier(event.currentTarget.value)}
            className={INPUT}
          />
          <input
            aria-label="Tracking code"
            placeholder="tracking code"
            value={trackingCode}
            maxLength={100}
            onChange={(event) => setTrackingCode(event.currentTarget.value)}
            className={INPUT}
          />
        </>
      )}
      <ActionButton
        name="Ship"
        acting={acting}
        needsReason="no"
        refused={refused}
        busy={ship.isPending}
        onClick={() => ship.mutate({ shopOrderId, ...(carrier && { carrier }), ...(trackingCode && { trackingCode }) })}
      />
      {ship.error && (
        <p role="alert" className="text-drift-down">
          {failureOf(ship.error).message}
        </p>
      )}
    </>
  );
}
