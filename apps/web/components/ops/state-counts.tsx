import Link from 'next/link';
import { StateChip } from '../ui/state-chip.tsx';
import { addressOf, RESERVATION_STATES } from './reservation-filter.ts';
import type { Overview } from './types.ts';

/** How many reservations are in each state; a number leads to its list. */
export function StateCounts({ overview }: { overview: Overview }) {
  return (
    <div className="grid gap-px border border-line bg-line sm:grid-cols-2 xl:grid-cols-4">
      {RESERVATION_STATES.map((state) => (
        <Link
          key={state}
          href={addressOf({ status: state })}
          className="flex h-12 items-center justify-between bg-sheet px-3.5 hover:bg-foam"
        >
          <StateChip state={state} />
          <span className="figures text-base font-semibold">{overview.reservations[state] ?? 0}</span>
        </Link>
      ))}
    </div>
  );
}
