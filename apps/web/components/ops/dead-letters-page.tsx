'use client';
/** Messages that failed: by cause, one by one, and events that could not be sent. Each action asks why. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../trpc/client.tsx';
import { TextField } from '../ui/text-field.tsx';
import { DeadLetterGroups } from './dead-letter-groups.tsx';
import { DeadLetterList } from './dead-letter-list.tsx';
import { PageHead } from './panel.tsx';
import { ParkedEvents } from './parked-events.tsx';

const LEAST_REASON = 3;

export function DeadLettersPage() {
  const trpc = useTRPC();
  const { data: me } = useQuery(trpc.ops.signedIn.queryOptions());
  const [why, setWhy] = useState('');
  const mayAct = me?.role === 'operator' || me?.role === 'admin';
  const by = { reason: why.trim(), ready: mayAct && why.trim().length >= LEAST_REASON };
  return (
    <div className="space-y-4">
      <PageHead title="Dead letters" />
      <p className="measure text-sm text-soft">
        A message that fails is tried again beside its partition; later ones of its key wait behind it. One that was
        given up waits here. Sending it again is safe: it has one effect, whatever happened before.
      </p>
      <TextField
        look="console"
        className="max-w-xl"
        label="Reason for what you do here"
        hint={mayAct ? 'Stands in the audit log beside your name.' : 'Acting needs the role operator.'}
        value={why}
        disabled={!mayAct}
        onChange={(event) => setWhy(event.currentTarget.value)}
      />
      <DeadLetterGroups by={by} />
      <DeadLetterList by={by} />
      <ParkedEvents by={by} />
    </div>
  );
}
