'use client';
/** What became of one shop's parcel: shipped, arrived, given back; "I have it"; sending something back. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../trpc/client.tsx';
import { failureOf } from '../trpc/failure-of.ts';
import { Button } from '../ui/button.tsx';
import { Money } from '../ui/money.tsx';
import { SendBack } from './send-back.tsx';
import type { Order } from './types.ts';

export function Parcel({ order, shopOrderId }: { order: Order; shopOrderId: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries(trpc.order.pathFilter());
  const receive = useMutation(trpc.order.receive.mutationOptions({ onSettled }));
  const parcel = order.afterSale.parcels.find((one) => one.shopOrderId === shopOrderId);
  const moves = order.shopOrderMoves[shopOrderId];
  const refundedMinor = parcel?.lines.reduce((sum, line) => sum + line.refundedMinor, 0) ?? 0;
  if (!parcel || (!parcel.shippedAt && refundedMinor === 0)) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-3 pb-2 text-sm text-soft">
      {parcel.shippedAt && (
        <span>
          {parcel.receivedAt ? 'Arrived' : 'On its way'}
          {parcel.carrier && ` with ${parcel.carrier}`}
          {parcel.trackingCode && `, ${parcel.trackingCode}`}
        </span>
      )}
      {refundedMinor > 0 && (
        <span>
          Given back: <Money minor={refundedMinor} currency={order.currency} />
        </span>
      )}
      {moves?.receive === null && (
        <Button size="small" disabled={receive.isPending} onClick={() => receive.mutate({ shopOrderId })}>
          I have it
        </Button>
      )}
      {(moves?.return === null || order.afterSale.returns.length > 0) && (
        <SendBack order={order} shopOrderId={shopOrderId} />
      )}
      {receive.error && (
        <span role="alert" className="text-drift-down">
          {failureOf(receive.error).message}
        </span>
      )}
    </div>
  );
}
