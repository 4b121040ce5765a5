'use client';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { Button } from '../ui/button.tsx';
import {
  addressOf,
  FILTER_FIELDS,
  type FilterField,
  type ReservationFilter,
  readFilter,
} from './reservation-filter.ts';

const WIDTHS: Record<FilterField, string> = { trade: 'w-72', shop: 'w-36', sku: 'w-44' };

/** Trade, shop and SKU as text; what is in the address stands in the fields. */
export function ReservationFilterBar({ filter }: { filter: ReservationFilter }) {
  const router = useRouter();
  const { status } = filter;
  return (
    <form
      // Fields hold what is being typed; another address fills them anew.
      key={addressOf(filter)}
      aria-label="Filter"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-3 py-2"
      onSubmit={(event) => {
        event.preventDefault();
        router.push(addressOf({ ...readFilter(new FormData(event.currentTarget)), status }));
      }}
    >
      {FILTER_FIELDS.map((name) => (
        <label key={name} className="flex min-w-0 items-center gap-1.5 text-xs text-soft">
          {name === 'sku' ? 'SKU' : name}
          <input
            name={name}
            defaultValue={filter[name] ?? ''}
            spellCheck={false}
            autoComplete="off"
            className={`h-8 min-w-0 rounded-panel border border-line-strong bg-sheet px-2 font-mono text-xs text-ink ${WIDTHS[name]}`}
          />
        </label>
      ))}
      <Button type="submit" look="quiet" size="console">
        Filter
      </Button>
      {FILTER_FIELDS.some((name) => filter[name]) && (
        <Link href={addressOf({ status })} className="text-sm text-soft underline underline-offset-4 hover:text-ink">
          Clear
        </Link>
      )}
    </form>
  );
}
