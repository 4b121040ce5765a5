'use client';
/** Closing an incident that a person has dealt with: a reason, and the button that is off until there is one. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../trpc/client.tsx';
import { TextField } from '../ui/text-field.tsx';
import { ActionFailed } from './acting.tsx';
import { SendButton } from './send-button.tsx';
import { NEEDS_OPERATOR, useOperator } from './use-operator.ts';

export function CloseIncident({ id }: { id: number }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const mayAct = useOperator();
  const [reason, setReason] = useState('');
  const close = useMutation(
    trpc.ops.closeIncident.mutationOptions({ onSettled: () => queries.invalidateQueries(trpc.ops.pathFilter()) }),
  );
  const missing = reason.trim() === '' ? 'Say why first.' : undefined;
  return (
    <form
      className="flex max-w-xl flex-wrap items-end gap-3 pt-2"
      onSubmit={(event) => {
        event.preventDefault();
        close.mutate({ id, reason });
      }}
    >
      <TextField
        look="console"
        className="min-w-0 flex-1"
        label="How it was dealt with"
        value={reason}
        disabled={!mayAct}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <SendButton busy={close.isPending} why={mayAct ? missing : NEEDS_OPERATOR}>
        Close
      </SendButton>
      <ActionFailed error={close.error} />
    </form>
  );
}
