'use client';
/** One line of an order, and the refund of some of its units. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../trpc/client.tsx';
import { failureOf } from '../trpc/failure-of.ts';
import { formatMoney } from '../ui/money.tsx';
import { ActionButton, type OrderActing } from './action-button.tsx';
import type { ConsoleOrder, ConsoleShopOrder } from './types.ts';
import { type UnitsChoice, UnitsSelect } from './units-select.tsx';
import { useOrderReadAgain, useRefundKey } from './use-order-read-again.ts';

interface RefundLineProps extends OrderActing {
  readonly shopOrderId: string;
  readonly line: ConsoleShopOrder['lines'][number];
  readonly after: ConsoleOrder['afterSale']['parcels'][number]['lines'][number] | undefined;
}

export function RefundLine({ shopOrderId, line, after, ...acting }: RefundLineProps) {
  const { order, reason } = acting;
  const trpc = useTRPC();
  const onSettled = useOrderReadAgain();
  const { key, renew } = useRefundKey();
  const [quantity, setQuantity] = useState(1);
  const [units, setUnits] = useState<UnitsChoice>('RESTOCK');
  const refund = useMutation(trpc.ops.refund.mutationOptions({ onSettled, onSuccess: renew }));
  const left = line.quantity - (after?.returned ?? 0);
  const money = (minor: number) => formatMoney(minor, order.currency);
  return (
    <li className="space-y-2 px-3 py-2 text-sm">
      <p className="flex flex-wrap items-baseline gap-x-4">
        <span className="font-mono text-xs">{line.skuId}</span>
        <span className="figures">
          {line.quantity} × {money(line.unitPriceMinor)}
        </span>
        {after && (
          <span className="figures text-soft">
            returned {after.returned}, on sale again {after.restocked}, refunded {money(after.refundedMinor)} of{' '}
            {money(after.paidMinor)}
          </span>
        )}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-xs text-soft">units</span>
        <input
          type="number"
          aria-label={`Units of ${line.skuId} to refund`}
          min={1}
          max={Math.max(1, left)}
          value={quantity}
          onChange={(event) => setQuantity(Math.trunc(event.currentTarget.valueAsNumber) || 1)}
          className="figures h-8 w-20 rounded-panel border border-line-strong bg-sheet px-2"
        />
        <UnitsSelect value={units} onChange={setUnits} />
        <ActionButton
          name="Refund these"
          acting={acting}
          refused={order.moves.refund ?? (left === 0 ? 'All units have come back.' : null)}
          busy={refund.isPending}
          onClick={() =>
            refund.mutate({
              tradeId: order.id,
              reason,
              key,
              wish: { kind: 'lines', lines: [{ shopOrderId, skuId: line.skuId, quantity, units }] },
            })
          }
        />
        {refund.error && (
          <span role="alert" className="text-drift-down">
            {failureOf(refund.error).message}
          </span>
        )}
      </div>
    </li>
  );
}
