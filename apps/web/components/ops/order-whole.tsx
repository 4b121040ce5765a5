'use client';
/** Actions on the whole order: cancel, close and refund, refund all that is left. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../trpc/client.tsx';
import { failureOf } from '../trpc/failure-of.ts';
import { ActionButton, type OrderActing } from './action-button.tsx';
import { Panel } from './panel.tsx';
import { type UnitsChoice, UnitsSelect } from './units-select.tsx';
import { useOrderReadAgain, useRefundKey } from './use-order-read-again.ts';

/** Units may come back after their money went, so a refunded order is not yet one of which nothing is left (P31). */
function isAllBack({ order }: OrderActing): boolean {
  const lines = order.afterSale.parcels.flatMap((parcel) => parcel.lines);
  const sold = order.shopOrders.flatMap((shopOrder) => shopOrder.lines).reduce((sum, line) => sum + line.quantity, 0);
  const returned = lines.reduce((sum, line) => sum + line.returned, 0);
  return returned >= sold && lines.every((line) => line.refundedMinor >= line.paidMinor);
}

export function OrderWhole(acting: OrderActing) {
  const { order, reason } = acting;
  const trpc = useTRPC();
  const onSettled = useOrderReadAgain();
  const { key, renew } = useRefundKey();
  const [units, setUnits] = useState<UnitsChoice>('RESTOCK');
  const cancel = useMutation(trpc.ops.cancelOrder.mutationOptions({ onSettled }));
  const refund = useMutation(trpc.ops.refund.mutationOptions({ onSettled, onSuccess: renew }));
  const busy = cancel.isPending || refund.isPending;
  const problem = cancel.error ?? refund.error;
  const tradeId = order.id;
  const paying = order.status === 'PAID_PENDING';
  return (
    <Panel title="The whole order">
      <div className="flex flex-col items-start gap-2 p-3">
        <ActionButton
          name={paying ? 'Close and refund' : 'Cancel'}
          look="danger"
          acting={acting}
          refused={paying ? order.moves.closeAndRefund : order.moves.cancel}
          busy={busy}
          onClick={() => cancel.mutate({ tradeId, reason, ifPaid: paying ? 'close-and-refund' : 'refuse' })}
        />
        <UnitsSelect value={units} onChange={setUnits} />
        <ActionButton
          name="Refund all that is left"
          look="danger"
          acting={acting}
          refused={order.moves.refund ?? (isAllBack(acting) ? 'All of it has been refunded already.' : null)}
          busy={busy}
          onClick={() => refund.mutate({ tradeId, reason, key, wish: { kind: 'rest', units } })}
        />
        {problem && (
          <p role="alert" className="text-sm text-drift-down">
            {failureOf(problem).message}
          </p>
        )}
      </div>
    </Panel>
  );
}
