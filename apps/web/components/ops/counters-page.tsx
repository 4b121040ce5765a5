'use client';
import { useState } from 'react';
import { CountersTable } from './counters-table.tsx';
import { PageHead } from './panel.tsx';

const MOST_ROWS = 100;

export function CountersPage() {
  const [driftedOnly, setDriftedOnly] = useState(false);
  return (
    <>
      <PageHead title="Counters">
        <label className="flex items-center gap-2 text-sm text-soft">
          <input
            type="checkbox"
            checked={driftedOnly}
            onChange={(event) => setDriftedOnly(event.target.checked)}
            className="size-4 accent-kelp"
          />
          only what differs
        </label>
      </PageHead>
      <p className="measure mb-4 text-sm text-soft">
        The gate hands out <b className="font-semibold text-ink">T</b> units at most and has handed out{' '}
        <b className="font-semibold text-ink">D</b>. By the ledger, D = confirmed + held + in flight; whatever is left
        over is unexplained.
      </p>
      <CountersTable limit={MOST_ROWS} title="Gate beside ledger" driftedOnly={driftedOnly} />
    </>
  );
}
