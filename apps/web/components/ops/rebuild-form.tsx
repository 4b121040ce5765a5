'use client';
/** Asks for a rebuild of the whole gate: with a reason, which is kept with the operator's name. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../trpc/client.tsx';
import { failureOf } from '../trpc/failure-of.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { TextField } from '../ui/text-field.tsx';

const SHORTEST_REASON = 3;

export function RebuildForm({ onEnd }: { readonly onEnd: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  // One id for one wish: pressing twice, or again after a lost answer, asks once.
  const [requestId, setRequestId] = useState(() => crypto.randomUUID());
  const ask = useMutation(
    trpc.ops.rebuildGate.mutationOptions({
      onSuccess: () => {
        onEnd();
        setReason('');
        setRequestId(crypto.randomUUID());
        return queries.invalidateQueries(trpc.ops.gate.pathFilter());
      },
    }),
  );
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        ask.mutate({ requestId, reason });
      }}
    >
      <h2 className="font-semibold">Rebuild the gate</h2>
      <p className="text-sm text-soft">
        It closes for some seconds and is loaded anew from the ledger. Orders wait and go on; what is held stays held.
      </p>
      <TextField
        look="console"
        label="Reason"
        name="reason"
        hint="At least 3 letters; it is kept with your name."
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {ask.error && (
        <Notice look="wrong" title="Not asked for">
          {failureOf(ask.error).message}
        </Notice>
      )}
      <div className="flex items-center gap-4">
        <Button type="submit" size="console" disabled={ask.isPending || reason.trim().length < SHORTEST_REASON}>
          Rebuild
        </Button>
        <button type="button" className="text-sm underline underline-offset-4" onClick={onEnd}>
          Leave it
        </button>
      </div>
    </form>
  );
}
