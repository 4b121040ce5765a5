'use client';
/** The wish to send units of a line back; an operator answers it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../trpc/client.tsx';
import { failureOf } from '../trpc/failure-of.ts';
import { Button } from '../ui/button.tsx';
import { mintKey } from './attempt.ts';
import type { Order, OrderLine } from './types.ts';

const FIELD = 'h-10 rounded-shop border border-line-strong bg-sheet px-3 text-ink';
const LABEL = 'flex flex-col gap-1 text-xs text-soft';

export function SendBack({ order, shopOrderId }: { order: Order; shopOrderId: string }) {
  const [open, setOpen] = useState(false);
  const lines = order.shopOrders.find(({ id }) => id === shopOrderId)?.lines ?? [];
  const asked = order.afterSale.returns.filter((item) => item.shopOrderId === shopOrderId);
  if (open) return <Wish order={order} shopOrderId={shopOrderId} lines={lines} done={() => setOpen(false)} />;
  return (
    <>
      {order.shopOrderMoves[shopOrderId]?.return === null && (
        <Button look="text" size="bare" onClick={() => setOpen(true)}>
          Send something back
        </Button>
      )}
      {asked.map((item) => (
        <span key={item.id}>
          {item.quantity} × {lines.find((line) => line.skuId === item.skuId)?.name}: {WORDS[item.status]}
        </span>
      ))}
    </>
  );
}

interface WishProps {
  readonly order: Order;
  readonly shopOrderId: string;
  readonly lines: readonly OrderLine[];
  readonly done: () => void;
}

function Wish({ order, shopOrderId, lines, done }: WishProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [skuId, setSkuId] = useState(lines[0]?.skuId ?? '');
  const [quantity, setQuantity] = useState(1);
  const [reason, setReason] = useState('');
  // One wish of one form: sent twice, it is one (P31).
  const [key] = useState(mintKey);
  const ask = useMutation(
    trpc.order.requestReturn.mutationOptions({
      onSuccess: done,
      onSettled: () => queries.invalidateQueries(trpc.order.pathFilter()),
    }),
  );
  return (
    <form
      className="flex w-full flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        ask.mutate({ tradeId: order.id, shopOrderId, skuId, quantity, reason, key });
      }}
    >
      <label className={LABEL}>
        What
        <select value={skuId} onChange={(e) => setSkuId(e.currentTarget.value)} className={FIELD}>
          {lines.map((line) => (
            <option key={line.skuId} value={line.skuId}>
              {line.name}
            </option>
          ))}
        </select>
      </label>
      <label className={LABEL}>
        How many
        <input
          type="number"
          min={1}
          max={lines.find((line) => line.skuId === skuId)?.quantity ?? 1}
          value={quantity}
          onChange={(e) => setQuantity(Math.trunc(e.currentTarget.valueAsNumber) || 1)}
          className={`${FIELD} figures w-20`}
        />
      </label>
      <Why reason={reason} onChange={setReason} />
      <Button type="submit" size="small" look="quiet" disabled={ask.isPending}>
        Ask to send it back
      </Button>
      <Button look="text" size="bare" className="h-10" onClick={done}>
        Leave it
      </Button>
      {ask.error && (
        <span role="alert" className="text-drift-down">
          {failureOf(ask.error).message}
        </span>
      )}
    </form>
  );
}

function Why({ reason, onChange }: { reason: string; onChange: (reason: string) => void }) {
  return (
    <label className={`${LABEL} grow sm:max-w-72`}>
      Why
      <input
        required
        maxLength={500}
        value={reason}
        onChange={(event) => onChange(event.currentTarget.value)}
        className={`${FIELD} w-full`}
      />
    </label>
  );
}

const WORDS: Record<Order['afterSale']['returns'][number]['status'], string> = {
  REQUESTED: 'you asked to send it back',
  REFUSED: 'not taken back',
  RECEIVED: 'back with us, your money is on its way',
  REFUNDED: 'back with us, paid back',
};
