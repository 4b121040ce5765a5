'use client';
/** A file of changes: kept for review first, booked from its own page. */
import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { useTRPC } from '../trpc/client.tsx';
import { failureOf } from '../trpc/failure-of.ts';
import { TextField } from '../ui/text-field.tsx';
import { Panel } from './panel.tsx';
import { SendButton } from './send-button.tsx';
import { NEEDS_OPERATOR, useOperator } from './use-operator.ts';

export function StockUpload() {
  const trpc = useTRPC();
  const router = useRouter();
  const [file, setFile] = useState<{ fileName: string; text: string }>();
  const [reason, setReason] = useState('');
  const upload = useMutation(
    trpc.ops.importStock.mutationOptions({
      onSuccess: ({ importId }) => router.push(`/ops/stock/imports/${importId}`),
    }),
  );
  const mayChange = useOperator();
  const why = mayChange ? (file ? undefined : 'Choose a file first.') : NEEDS_OPERATOR;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (file) upload.mutate({ ...file, reason });
  };
  return (
    <Panel title="Changes from a file">
      <form onSubmit={submit} className="grid gap-3 p-3" data-form="stock-import">
        <WhatFile />
        <label className="flex flex-col gap-1.5 text-sm font-medium">
          File
          <input
            type="file"
            accept=".csv,text/csv"
            required
            className="text-sm font-normal text-soft file:mr-3 file:h-8 file:cursor-pointer file:rounded-panel file:border file:border-line-strong file:border-solid file:bg-sheet file:px-3 file:font-medium file:text-ink hover:file:bg-foam"
            onChange={async (event) => {
              const chosen = event.target.files?.[0];
              upload.reset();
              setFile(chosen && { fileName: chosen.name, text: await chosen.text() });
            }}
          />
        </label>
        <TextField
          look="console"
          label="Reason"
          name="reason"
          required
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <SendButton busy={upload.isPending} why={why}>
          {upload.isPending ? 'Reading' : 'Review'}
        </SendButton>
        {upload.isError && (
          <p role="alert" className="text-sm text-drift-down">
            {failureOf(upload.error).message}
          </p>
        )}
      </form>
    </Panel>
  );
}

function WhatFile() {
  return (
    <p className="measure text-xs text-soft">
      A CSV file with the header <span className="font-mono">ref,shop,sku,change</span>. Each change is a difference,
      such as 5 or -3, and each reference counts once. You see what it would do before anything is booked.
    </p>
  );
}
