'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../trpc/client.tsx';
import { Action, ActionFailed, type By } from './acting.tsx';
import type { DeadLetter } from './types.ts';

/** Send again, mend and send again, or throw away where no units or money hang on it (P33). */
export function DeadLetterActions({ letter, by }: { letter: DeadLetter; by: By }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [body, setBody] = useState(letter.body);
  const onSettled = () => queries.invalidateQueries(trpc.ops.pathFilter());
  const redrive = useMutation(trpc.ops.redriveDeadLetter.mutationOptions({ onSettled }));
  const edit = useMutation(trpc.ops.editDeadLetter.mutationOptions({ onSettled }));
  const discard = useMutation(trpc.ops.discardDeadLetter.mutationOptions({ onSettled }));
  const { id } = letter;
  const { reason } = by;
  const mayAct = letter.status === 'DEAD';
  return (
    <details className="text-xs text-soft">
      <summary className="cursor-pointer py-1 hover:text-ink">Message{mayAct ? ' and what can be done' : ''}</summary>
      <textarea
        aria-label="Message"
        rows={6}
        readOnly={!mayAct}
        value={body}
        onChange={(event) => setBody(event.currentTarget.value)}
        className="w-full border border-line bg-foam p-2 font-mono text-xs text-ink"
      />
      {mayAct && (
        <span className="flex flex-wrap gap-2 py-1">
          <Action by={by} of={redrive} onClick={() => redrive.mutate({ id, reason })}>
            Send again
          </Action>
          {body !== letter.body && (
            <Action by={by} of={edit} onClick={() => edit.mutate({ id, reason, body })}>
              Save and send again
            </Action>
          )}
          {letter.mayDiscard && (
            <Action by={by} of={discard} onClick={() => discard.mutate({ id, reason })}>
              Discard
            </Action>
          )}
        </span>
      )}
      <ActionFailed error={redrive.error ?? edit.error ?? discard.error} />
    </details>
  );
}
