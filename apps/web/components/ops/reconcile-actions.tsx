'use client';
/** Look, or look and repair: everything, one shop, or one SKU of it. The filter's shop and SKU are filled in. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { useTRPC } from '../trpc/client.tsx';
import { failureOf } from '../trpc/failure-of.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { TextField } from '../ui/text-field.tsx';
import { Panel } from './panel.tsx';
import { readLogFilter } from './reconcile-filter.ts';
import { PreviewResult, RunResult } from './reconcile-result.tsx';
import { NEEDS_OPERATOR, useOperator } from './use-operator.ts';

export function ReconcileActions() {
  const filter = readLogFilter(useSearchParams());
  // Another filter fills the fields anew.
  return <Form key={`${filter.shop}/${filter.sku}`} shop={filter.shop ?? ''} sku={filter.sku ?? ''} />;
}

function Form(start: { readonly shop: string; readonly sku: string }) {
  const [shop, setShop] = useState(start.shop);
  const [sku, setSku] = useState(start.sku);
  const skuAlone = sku.trim() !== '' && shop.trim() === '';
  const scope = { ...(shop.trim() && { shopId: shop.trim() }), ...(sku.trim() && { skuId: sku.trim() }) };
  return (
    <Panel title="Compare now">
      <div className="grid grid-cols-2 gap-3 px-3 pt-3">
        <TextField
          look="console"
          label="Shop"
          placeholder="all"
          value={shop}
          onChange={(e) => setShop(e.target.value)}
        />
        <TextField
          look="console"
          label="SKU"
          placeholder="all"
          value={sku}
          problem={skuAlone ? 'Name its shop too.' : undefined}
          onChange={(e) => setSku(e.target.value)}
        />
      </div>
      <Check scope={scope} isWhole={!skuAlone} />
      <Run scope={scope} isWhole={!skuAlone} />
    </Panel>
  );
}

interface ActionProps {
  readonly scope: { readonly shopId?: string; readonly skuId?: string };
  /** The scope is one that the server takes. */
  readonly isWhole: boolean;
}

function Check({ scope, isWhole }: ActionProps) {
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
      <NotDone error={check.error} />
    </div>
  );
}

function Run({ scope, isWhole }: ActionProps) {
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
      <NotDone error={run.error} />
    </form>
  );
}

function NotDone({ error }: { error: unknown }) {
  if (!error) return null;
  return (
    <Notice look="wrong" title="Not done">
      {failureOf(error).message}
    </Notice>
  );
}
