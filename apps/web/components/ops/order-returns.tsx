'use client';
/** Returns that the buyer asked for, to be received or refused. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../trpc/client.tsx';
import { failureOf } from '../trpc/failure-of.ts';
import { StateChip } from '../ui/state-chip.tsx';
import { ActionButton, type OrderActing } from './action-button.tsx';
import { Panel } from './panel.tsx';
import type { ConsoleReturn } from './types.ts';
import { type UnitsChoice, UnitsSelect } from './units-select.tsx';
import { useOrderReadAgain } from './use-order-read-again.ts';

export function OrderReturns(acting: OrderActing) {
  const { returns } = acting.order.afterSale;
  if (returns.length === 0) return null;
  return (
    <Panel title="Returns">
      <ul className="divide-y divide-line/70">
        {returns.map((item) => (
          <ReturnRow key={item.id} {...acting} item={item} />
        ))}
      </ul>
    </Panel>
  );
}

function ReturnRow({ item, ...acting }: OrderActing & { readonly item: ConsoleReturn }) {
  const trpc = useTRPC();
  const onSettled = useOrderReadAgain();
  const [units, setUnits] = useState<UnitsChoice>('RESTOCK');
  const answer = useMutation(trpc.ops.answerReturn.mutationOptions({ onSettled }));
  const { reason } = acting;
  const button = { acting, refused: null, busy: answer.isPending };
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-3 py-2 text-sm">
      <span className="figures">
        {item.quantity} × <span className="font-mono text-xs">{item.skuId}</span>
      </span>
      <span className="text-soft">{item.reason}</span>
      <StateChip state={item.status} word={item.status.toLowerCase()} />
      {item.status === 'REQUESTED' && (
        <>
          <UnitsSelect value={units} onChange={setUnits} />
          <ActionButton
            name="Received"
            {...button}
            onClick={() => answer.mutate({ returnItemId: item.id, reason, answer: { kind: 'receive', units } })}
          />
          <ActionButton
            name="Refuse"
            look="danger"
            {...button}
            onClick={() => answer.mutate({ returnItemId: item.id, reason, answer: { kind: 'refuse' } })}
          />
        </>
      )}
      {answer.error && (
        <span role="alert" className="text-drift-down">
          {failureOf(answer.error).message}
        </span>
      )}
    </li>
  );
}
