'use client';
import { useSearchParams } from 'next/navigation';
import { CountersTable } from './counters-table.tsx';
import { GateLife } from './gate-life.tsx';
import { PageHead } from './panel.tsx';

const ROWS_A_PAGE = 100;

/** Every SKU, gate beside ledger; whether only those that differ are shown is said by the address. */
export function CountersPage() {
  const driftedOnly = useSearchParams().get('only') === 'differing';
  return (
    <>
      <PageHead title="Counters" />
      <p className="measure mb-4 text-sm text-soft">
        The gate hands out <b className="font-semibold text-ink">T</b> units at most and has handed out{' '}
        <b className="font-semibold text-ink">D</b>. By the ledger, D = confirmed + held + in flight; whatever is left
        over is unexplained.
      </p>
      <GateLife />
      <CountersTable
        limit={ROWS_A_PAGE}
        title="Gate beside ledger"
        driftedOnly={driftedOnly}
        tabs={[
          { name: 'All', href: '/ops/counters', here: !driftedOnly },
          { name: 'Only what differs', href: '/ops/counters?only=differing', here: driftedOnly },
        ]}
      />
    </>
  );
}
