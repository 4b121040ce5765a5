'use client';
import { useMutation } from '@tanstack/react-query';
import { useTRPC } from '../trpc/client.tsx';
import { Button } from '../ui/button.tsx';
import { ActionFailed } from './acting.tsx';
import type { ReconcileScope } from './reconcile-actions.tsx';
import { PreviewResult } from './reconcile-result.tsx';
import { NEEDS_OPERATOR, useOperator } from './use-operator.ts';

/** The dry run. `isWhole`: the scope is one that the server takes. */
export function ReconcileCheck({ scope, isWhole }: { scope: ReconcileScope; isWhole: boolean }) {
  const check = useMutation(useTRPC().ops.checkReconcile.mutationOptions());
  const mayAct = useOperator();
  return (
    <div className="space-y-3 p-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button
          look="quiet"
          size="console"
          disabled={!mayAct || check.isPending || !isWhole}
          onClick={() => check.mutate(scope)}
        >
          {check.isPending ? 'Comparing' : 'Check, change nothing'}
        </Button>
        {!mayAct && <span className="text-xs text-soft">{NEEDS_OPERATOR}</span>}
      </div>
      {check.data && <PreviewResult preview={check.data} />}
      <ActionFailed error={check.error} />
    </div>
  );
}
