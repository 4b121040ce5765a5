'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../trpc/client.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/text-field.tsx';
import { ActionFailed } from './acting.tsx';
import type { ReconcileScope } from './reconcile-actions.tsx';
import { RunResult } from './reconcile-result.tsx';
import { useOperator } from './use-operator.ts';

/** A run by hand, which needs a reason. `isWhole`: the scope is one that the server takes. */
export function ReconcileRun({ scope, isWhole }: { scope: ReconcileScope; isWhole: boolean }) {
  const [reason, setReason] = useState('');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const run = useMutation(
    trpc.ops.runReconcile.mutationOptions({
      onSettled: () => queries.invalidateQueries(trpc.ops.reconcileLog.pathFilter()),
    }),
  );
  const mayAct = useOperator();
  const noReason = reason.trim() === '';
  return (
    <form
      className="space-y-3 border-t border-line p-3"
      onSubmit={(event) => {
        event.preventDefault();
        run.mutate({ ...scope, reason });
      }}
    >
      <TextField
        look="console"
        label="Reason for a repair"
        hint="Kept with your name in the log."
        value={reason}
        onChange={(e) => setReason(e.target.value)}
      />
      <Button
        type="submit"
        look="quiet"
        size="console"
        disabled={!mayAct || run.isPending || !isWhole || noReason}
        title={noReason ? 'say why first' : undefined}
      >
        {run.isPending
          ? 'Running'
          : `Reconcile ${scope.skuId ?? (scope.shopId ? `shop ${scope.shopId}` : 'everything')}`}
      </Button>
      {run.data && <RunResult run={run.data} />}
      <ActionFailed error={run.error} />
    </form>
  );
}
