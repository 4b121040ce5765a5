'use client';
/** The switch of a SKU between gate and ledger: asks for the reason, which is kept with the operator's name. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../trpc/client.tsx';
import { failureOf } from '../trpc/failure-of.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { TextField } from '../ui/text-field.tsx';

export const PLACE_OF = { REDIS: 'gate', DATABASE: 'ledger', SWITCHING: 'switching' } as const;
const SHORTEST_REASON = 3;

interface SwitchFormProps {
  readonly shopId: string;
  readonly skuId: string;
  readonly to: 'REDIS' | 'DATABASE';
  readonly onEnd: () => void;
}

export function SwitchForm({ shopId, skuId, to, onEnd }: SwitchFormProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const change = useMutation(
    trpc.ops.switchMode.mutationOptions({
      onSuccess: () => {
        onEnd();
        setReason('');
        return queries.invalidateQueries(trpc.ops.counters.pathFilter());
      },
    }),
  );
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ shopId, skuId, to, reason });
      }}
    >
      <h2 className="font-semibold">
        Sell {skuId} at the {PLACE_OF[to]}
      </h2>
      <p className="text-sm text-soft">Orders go on; what is held stays held. Those in between wait a moment.</p>
      <TextField
        look="console"
        label="Reason"
        name="reason"
        hint="At least 3 letters; it is kept with your name."
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {change.error && (
        <Notice look="wrong" title="Not switched">
          {failureOf(change.error).message}
        </Notice>
      )}
      <div className="flex items-center gap-4">
        <Button type="submit" size="console" disabled={change.isPending || reason.trim().length < SHORTEST_REASON}>
          Switch
        </Button>
        <button type="button" className="text-sm underline underline-offset-4" onClick={onEnd}>
          Leave it
        </button>
      </div>
    </form>
  );
}
