'use client';
/** Messages that failed: by cause, one by one, and events that could not be sent. Each action asks why. */
import { useState } from 'react';
import { TextField } from '../ui/text-field.tsx';
import { DeadLetterGroups } from './dead-letter-groups.tsx';
import { DeadLetterList } from './dead-letter-list.tsx';
import { PageHead } from './panel.tsx';
import { ParkedEvents } from './parked-events.tsx';
import { NEEDS_OPERATOR, useOperator } from './use-operator.ts';

const LEAST_REASON = 3;

export function DeadLettersPage() {
  const mayAct = useOperator();
  const [why, setWhy] = useState('');
  const missing = why.trim().length < LEAST_REASON ? 'Say why first, above.' : undefined;
  const by = { reason: why.trim(), off: mayAct ? missing : NEEDS_OPERATOR };
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
