'use client';
/** Stock as people change it: one change by hand, a file of changes for review, and all that was done before. */
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTRPC } from '../trpc/client.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { Ago } from './ago.tsx';
import { Failed, Nothing, PageHead, Panel } from './panel.tsx';
import { StockForm } from './stock-form.tsx';
import { StockUpload } from './stock-upload.tsx';
import type { StockChange, StockImport } from './types.ts';

const REFRESH_MS = 5000;

export function StockPage() {
  const trpc = useTRPC();
  const changes = useQuery(trpc.ops.stockChanges.queryOptions(undefined, { refetchInterval: REFRESH_MS }));
  const imports = useQuery(trpc.ops.stockImports.queryOptions(undefined, { refetchInterval: REFRESH_MS }));
  return (
    <>
      <PageHead title="Stock" />
      <div className="grid gap-4 xl:grid-cols-2">
        <StockForm />
        <StockUpload />
        <Panel title="Imports, newest first">
          {imports.data ? (
            imports.data.length === 0 ? (
              <Nothing>No file yet.</Nothing>
            ) : (
              <ul className="divide-y divide-line">
                {imports.data.map((of) => (
                  <ImportRow key={of.importId} of={of} />
                ))}
              </ul>
            )
          ) : imports.error ? (
            <Failed error={imports.error} what="Imports" />
          ) : (
            <Waiting className="h-24 rounded-none" />
          )}
        </Panel>
        <Panel title="Changes, newest first">
          {changes.data ? (
            changes.data.length === 0 ? (
              <Nothing>No change yet.</Nothing>
            ) : (
              <ul className="divide-y divide-line">
                {changes.data.map((change) => (
                  <ChangeRow key={change.operationId} change={change} />
                ))}
              </ul>
            )
          ) : changes.error ? (
            <Failed error={changes.error} what="Changes" />
          ) : (
            <Waiting className="h-24 rounded-none" />
          )}
        </Panel>
      </div>
    </>
  );
}

function ImportRow({ of }: { of: StockImport }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 px-3 py-2 text-sm">
      <Link href={`/ops/stock/imports/${of.importId}`} className="underline decoration-kelp/40 underline-offset-4">
        {of.fileName}
      </Link>
      <span className="text-xs text-soft">
        {of.status.toLowerCase()}, {of.applied} of {of.rows} rows booked, {of.refused} refused, {of.undone} undone ·{' '}
        {of.actor}
      </span>
      <span className="ml-auto text-xs text-soft">
        <Ago at={of.createdAt} />
      </span>
    </li>
  );
}

function ChangeRow({ change }: { change: StockChange }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 px-3 py-2 text-sm" data-operation={change.operationId}>
      <span className="font-mono text-xs">
        {change.shopId}/{change.skuId}
      </span>
      <span className="figures">
        {change.quantity > 0 ? '+' : ''}
        {change.quantity} ({change.totalBefore} to {change.totalAfter})
      </span>
      <span className="min-w-0 truncate text-xs text-soft">
        {change.kind.toLowerCase().replace('_', '-')} · {change.reason} · {change.actor}
      </span>
      <span className="ml-auto text-xs text-soft">
        <Ago at={change.at} />
      </span>
    </li>
  );
}
