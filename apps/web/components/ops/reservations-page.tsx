'use client';
/** The ledger's reservations, newest first, from `ops.reservations`; the address says which ones. */
import { useInfiniteQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { useTRPC } from '../trpc/client.tsx';
import { StateChip } from '../ui/state-chip.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { Ago, ReadAt } from './ago.tsx';
import { FilterTabs } from './filter-tabs.tsx';
import { MoreButton } from './more-button.tsx';
import { Failed, Nothing, PageHead, Panel } from './panel.tsx';
import { refreshPages } from './refresh-pages.ts';
import { addressOf, queryOf, RESERVATION_STATES, type ReservationFilter, readFilter } from './reservation-filter.ts';
import { ReservationFilterBar } from './reservation-filter-bar.tsx';
import { ShortId } from './short-id.tsx';
import type { Reservation } from './types.ts';

const REFRESH_MS = 3000;
const ROWS_A_PAGE = 60;

export function ReservationsPage() {
  const filter = readFilter(useSearchParams());
  const trpc = useTRPC();
  const list = useInfiniteQuery(
    trpc.ops.reservations.infiniteQueryOptions(
      { ...queryOf(filter), limit: ROWS_A_PAGE },
      { getNextPageParam: (page) => page.next ?? undefined, refetchInterval: refreshPages(REFRESH_MS) },
    ),
  );
  const { error, dataUpdatedAt, isRefetchError } = list;
  const rows = list.data?.pages.flatMap((page) => page.reservations);
  return (
    <>
      <PageHead title="Reservations" />
      <Panel
        title="Newest first"
        aside={<ReadAt at={dataUpdatedAt ? new Date(dataUpdatedAt) : undefined} stale={isRefetchError} />}
      >
        <FilterTabs label="Status" tabs={tabsOf(filter)} />
        <ReservationFilterBar filter={filter} />
        {rows ? (
          rows.length === 0 ? (
            <Nothing>
              {addressOf(filter) === addressOf({}) ? 'No reservation yet.' : 'No reservation is like that.'}
            </Nothing>
          ) : (
            <Rows rows={rows} />
          )
        ) : error ? (
          <Failed error={error} what="Reservations" />
        ) : (
          <Waiting className="h-64 rounded-none" />
        )}
      </Panel>
      <MoreButton of={list}>Older ones</MoreButton>
    </>
  );
}

function tabsOf({ status, ...rest }: ReservationFilter) {
  return [
    { name: 'All', href: addressOf(rest), here: status === undefined },
    ...RESERVATION_STATES.map((state) => ({
      name: state,
      href: addressOf({ ...rest, status: state }),
      here: status === state,
    })),
  ];
}

function Rows({ rows }: { rows: readonly Reservation[] }) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full min-w-[46rem] border-collapse text-sm">
        <thead>
          <tr className="h-8 border-b border-line text-left text-xs text-soft [&>th]:px-3 [&>th]:font-medium">
            <th scope="col">reservation</th>
            <th scope="col">state</th>
            <th scope="col">SKU</th>
            <th scope="col" className="text-right">
              units
            </th>
            <th scope="col">order</th>
            <th scope="col">held</th>
            <th scope="col">ended</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.reservationId} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row }: { row: Reservation }) {
  return (
    <tr
      data-reservation={row.reservationId}
      className="h-8 border-b border-line/70 last:border-b-0 hover:bg-foam [&>td]:px-3"
    >
      <td className="font-mono text-xs">
        <Link
          href={`/ops/reservations/${row.reservationId}`}
          className="text-kelp underline decoration-kelp/40 underline-offset-4 hover:decoration-kelp"
          title={row.reservationId}
        >
          …{row.reservationId.slice(-8)}
        </Link>
      </td>
      <td>
        <StateChip state={row.status} />
      </td>
      <td className="max-w-56 truncate font-mono text-xs">
        {row.skuId} <span className="font-sans text-soft">{row.shopId}</span>
      </td>
      <td className="figures text-right">{row.quantity}</td>
      <td>{row.tradeId && <ShortId id={row.tradeId} href={`/ops/orders/${row.tradeId}`} />}</td>
      <td className="text-xs text-soft">
        <Ago at={row.heldAt} />
      </td>
      <td className="text-xs text-soft">
        {(row.confirmedAt ?? row.endedAt) ? (
          <>
            {row.releaseReason && `${row.releaseReason.toLowerCase().replaceAll('_', ' ')}, `}
            <Ago at={row.confirmedAt ?? row.endedAt ?? row.heldAt} />
          </>
        ) : (
          '–'
        )}
      </td>
    </tr>
  );
}
